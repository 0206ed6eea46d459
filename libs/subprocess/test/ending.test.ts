import { EventEmitter, once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChildRun, ProcessOptions } from '@switchyard/subprocess';
import { isAlive, printedPids } from './processes';
import { describeWays, type Start } from './ways';

/** Starts a script and waits until it has printed `ready`. */
async function startReady(start: Start, script: string, options: Partial<ProcessOptions> = {}): Promise<ChildRun> {
  const seen = new EventEmitter();
  let text = '';
  const onOutput = (_stream: string, chunk: Buffer) => {
    text += chunk.toString();
    if (text.includes('ready')) seen.emit('ready');
  };
  const ready = once(seen, 'ready');
  const run = await start({ command: { script, shell: '/bin/bash' }, ...options, onOutput });
  await ready;
  return run;
}

const marker = (value: string) => ({ name: 'SUBPROCESS_TEST_RUN', value: `${process.pid}-${value}` });

/** Each starts more processes, prints their ids to standard error, and then `ready`. */
const families = [
  ['a child', 'sleep 60 & echo $! >&2; echo ready; wait'],
  ['a grandchild', '(sleep 60 & echo $! >&2; wait) & sleep 0.2; echo ready; wait'],
  [
    'one that ignores SIGTERM',
    `(trap '' TERM; sleep 60 & echo $BASHPID $! | tr ' ' '\\n' >&2; echo ready; wait; sleep 60)`,
  ],
  ['one in its own session', `setsid bash -c 'echo $$ >&2; echo ready; exec sleep 60' & wait`],
  [
    'one that left its parent and closed its pipes',
    `setsid bash -c '(echo $BASHPID >&2; echo ready; exec sleep 60 <&- >&- 2>&-) & exit'; sleep 60`,
  ],
  ['its own group within the session', `set -m; sleep 60 & echo $! >&2; echo ready; wait`],
] as const;

describeWays('ending a run that was started', (start) => {
  it.each(families)('by its time limit also ends %s', async (name, script) => {
    const command = { script, shell: '/bin/bash' };
    const run = await start({ command, timeoutMs: 600, graceMs: 200, marker: marker(name) });
    const result = await run.result;
    expect(result).toMatchObject({ cause: 'timeout', stdout: { text: 'ready\n' }, survivors: [] });
    expect(printedPids(result.stderr.text).filter(isAlive)).toEqual([]);
  });

  it.each(families)('by cancellation also ends %s', async (name, script) => {
    const run = await startReady(start, script, { marker: marker(name) });
    run.end({ graceMs: 200 });
    const result = await run.result;
    expect(result).toMatchObject({ cause: 'cancel', stdout: { text: 'ready\n' }, survivors: [] });
    expect(printedPids(result.stderr.text).filter(isAlive)).toEqual([]);
  });

  it('gives a process grace time to clean up', async () => {
    const run = await startReady(start, `trap 'echo cleaned; exit 4' TERM; echo ready; sleep 60 & wait`);
    run.end();
    expect(await run.result).toMatchObject({ cause: 'cancel', exitCode: 4, stdout: { text: 'ready\ncleaned\n' } });
  });

  it('does not wait for the grace time if all processes exit at once', async () => {
    const run = await startReady(start, 'echo ready; sleep 60');
    run.end({ graceMs: 600_000 });
    expect(await run.result).toMatchObject({ cause: 'cancel', signal: 'SIGTERM' });
  });

  it.each<[string, (run: ChildRun) => void, string]>([
    ['cancel before the time limit', (run) => run.end({ graceMs: 0 }), 'cancel'],
    ['the time limit alone', () => undefined, 'timeout'],
  ])('reports the first cause: %s', async (_name, act, cause) => {
    const run = await startReady(start, 'echo ready; sleep 60', { timeoutMs: 700, graceMs: 0 });
    act(run);
    expect((await run.result).cause).toBe(cause);
  });

  it('keeps the cause after a later cancellation', async () => {
    const run = await start({ command: { script: 'exit 5' } });
    await run.result;
    run.end();
    expect(await run.result).toMatchObject({ cause: 'exit', exitCode: 5 });
  });

  it('accepts time limits that are longer than the longest timer', async () => {
    const command = { script: 'sleep 0.1; echo done' };
    expect(await (await start({ command, timeoutMs: 1e12 })).result).toMatchObject({ cause: 'exit', exitCode: 0 });
  });

  it('sends signals through the elevation command', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'subprocess-test-'));
    const diary = join(folder, 'diary');
    const script = `read line; echo "$line $5" >> ${diary}; exec "$@"`;
    const run = await startReady(start, `trap '' TERM; echo ready; while :; do sleep 60; done`, {
      marker: marker('elevated'),
      elevation: { command: ['sh', '-c', script, 'sh'], input: 'secret\n' },
    });
    run.end({ graceMs: 50 });
    expect(await run.result).toMatchObject({ cause: 'cancel', signal: 'SIGKILL', survivors: [] });
    expect(readFileSync(diary, 'utf8')).toBe('secret TERM\nsecret KILL\n');
    rmSync(folder, { recursive: true });
  });
});
