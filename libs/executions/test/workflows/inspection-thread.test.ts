import { deferred } from '@switchyard/base';
import type { KnownActions } from '@switchyard/workflow';
import { inspectionThread } from '../../src/workflows/inspection-thread';

// The thread loads the packages as they are built.
const sound = 'version: 1.0\ntasks:\n  a:\n    action: core.noop\n';
const none: KnownActions = new Map();
const noop: KnownActions = new Map([['core.noop', {}]]);
const job = (text: string, known = noop) => ({ text, context: [], actionsOf: () => Promise.resolve(known) });

describe('the thread that inspects definitions', () => {
  it('finds what is wrong with the actions that were looked up for it', async () => {
    const thread = inspectionThread({ mostWaiting: 2 });
    expect(await thread.inspect(job(sound))).toEqual([]);
    expect(await thread.inspect(job(sound, none))).toEqual([expect.objectContaining({ type: 'content', line: 4 })]);
  });

  it('says why a text is no definition', async () => {
    const thread = inspectionThread({ mostWaiting: 2 });
    await expect(thread.inspect(job('- a'))).rejects.toThrow('The spec is not type of json or yaml.');
  });

  it('ends an inspection that takes too long, and goes on with the next', async () => {
    const thread = inspectionThread({ mostWaiting: 2, longestMs: 20 });
    const never = { ...job(sound), actionsOf: () => new Promise<KnownActions>(() => undefined) };
    await expect(thread.inspect(never)).rejects.toThrow('takes more than 0.02 seconds');
    await expect(inspectionThread({ mostWaiting: 1 }).inspect(job(sound))).resolves.toEqual([]);
  });

  it('turns away what is too much, and fails when the look-up fails', async () => {
    const thread = inspectionThread({ mostWaiting: 1 });
    const asked = deferred<KnownActions>();
    const first = thread.inspect({ ...job(sound), actionsOf: () => asked.promise });
    await expect(thread.inspect(job(sound))).rejects.toThrow('Too many large definitions');
    asked.reject(new Error('the store is away'));
    await expect(first).rejects.toThrow('the store is away');
    expect(await thread.inspect(job(sound))).toEqual([]);
  });
});
