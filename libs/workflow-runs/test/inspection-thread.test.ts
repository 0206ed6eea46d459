import { setFlagsFromString } from 'node:v8';
import { deferred } from '@switchyard/base';
import type { KnownActions } from '@switchyard/workflow';
import { inspectionThread } from '../src/definition-inspector';

// The thread loads the built packages.
const sound = 'version: 1.0\ntasks:\n  a:\n    action: core.noop\n';
const none: KnownActions = new Map();
const noop: KnownActions = new Map([['core.noop', {}]]);
const job = (text: string, known = noop) => ({ text, context: [], actionsOf: () => Promise.resolve(known) });

// As in production. With the larger semi-spaces of the tests, V8 may end the process when a thread reaches its limit.
setFlagsFromString('--max-semi-space-size=16');

describe('the thread that inspects definitions', () => {
  it('reports problems with the actions it is given', async () => {
    const thread = inspectionThread({ mostWaiting: 2 });
    expect(await thread.inspect(job(sound))).toEqual([]);
    expect(await thread.inspect(job(sound, none))).toEqual([expect.objectContaining({ type: 'content', line: 4 })]);
  });

  it('explains why a text is not a definition', async () => {
    const thread = inspectionThread({ mostWaiting: 2 });
    await expect(thread.inspect(job('- a'))).rejects.toThrow('The spec is not type of json or yaml.');
  });

  it('stops an inspection that takes too long, and continues with the next', async () => {
    const thread = inspectionThread({ mostWaiting: 2, longestMs: 20 });
    const never = { ...job(sound), actionsOf: () => new Promise<KnownActions>(() => undefined) };
    await expect(thread.inspect(never)).rejects.toThrow('needs more than 0.02 seconds');
    await expect(inspectionThread({ mostWaiting: 1 }).inspect(job(sound))).resolves.toEqual([]);
  });

  it('stops an inspection that uses too much memory, and runs the next in a new thread', async () => {
    const thread = inspectionThread({ mostWaiting: 2, mostMemoryMb: 40 });
    const tasks = Array.from(
      { length: 15_000 },
      (_, n) => `  t${n}:\n    action: core.noop\n    next: [{do: t${n + 1}}]\n`,
    );
    const large = thread.inspect(job(`version: 1.0\ntasks:\n${tasks.join('')}  t15000:\n    action: core.noop\n`));
    const next = thread.inspect(job(sound));
    await expect(large).rejects.toMatchObject({
      code: 'workflow.too-costly',
      message: expect.stringContaining('40 MB of memory'),
    });
    expect(await next).toEqual([]);
  });

  it('rejects inspections over the limit, and fails when the lookup fails', async () => {
    const thread = inspectionThread({ mostWaiting: 1 });
    const asked = deferred<KnownActions>();
    const first = thread.inspect({ ...job(sound), actionsOf: () => asked.promise });
    await expect(thread.inspect(job(sound))).rejects.toThrow('Too many large definitions');
    asked.reject(new Error('the store is unavailable'));
    await expect(first).rejects.toThrow('the store is unavailable');
    expect(await thread.inspect(job(sound))).toEqual([]);
  });
});
