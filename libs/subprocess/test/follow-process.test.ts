import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { deferred } from '@switchyard/base';
import {
  discardOutputPipe,
  followProcess,
  isRunning,
  openOutputPipe,
  processIdentity,
  type Exit,
  type FollowOptions,
} from '@switchyard/subprocess';

/** Starts a process as somebody else would, and follows it. */
function follow(script: string, options: FollowOptions = {}) {
  const [stdout, stderr] = [openOutputPipe()!, openOutputPipe()!];
  const stranger = spawn('sh', ['-c', script], {
    detached: true,
    stdio: ['ignore', stdout.writeFd, stderr.writeFd],
  });
  closeSync(stdout.writeFd);
  closeSync(stderr.writeFd);
  const exited = deferred<Exit>();
  stranger.once('exit', (exitCode, signal) => exited.resolve({ exitCode, signal }));
  const identity = processIdentity(stranger.pid!);
  return followProcess(
    { identity, stdout: stdout.reader, stderr: stderr.reader, exited: exited.promise },
    { graceMs: 200, ...options },
  );
}

describe('followProcess', () => {
  it('reads a process that others have started, to its end', async () => {
    expect(await follow('echo out; echo err >&2; exit 3').result).toMatchObject({
      cause: 'exit',
      exitCode: 3,
      stdout: { text: 'out\n' },
      stderr: { text: 'err\n' },
    });
  });

  it('ends it when its time is up, or when it is asked to', async () => {
    expect(await follow('sleep 60', { timeoutMs: 20 }).result).toMatchObject({ cause: 'timeout', survivors: [] });
    const run = follow('sleep 60');
    run.end();
    expect(await run.result).toMatchObject({ cause: 'cancel', signal: 'SIGTERM' });
    expect(isRunning(run.identity!)).toBe(false);
  });
});

describe('isRunning', () => {
  it('knows a process from a later one with its id, and from a dead one', async () => {
    const child = spawn('sleep', ['60']);
    const identity = processIdentity(child.pid!);
    expect(isRunning(identity)).toBe(true);
    expect(isRunning({ ...identity, startTime: '1' })).toBe(false);
    child.kill();
    await once(child, 'exit');
    expect(isRunning(identity)).toBe(false);
  });
});

describe('An output pipe', () => {
  it('that nobody got is closed on both sides', async () => {
    const pipe = openOutputPipe()!;
    discardOutputPipe(pipe);
    await once(pipe.reader, 'close');
    expect(() => closeSync(pipe.writeFd)).toThrow('EBADF');
  });
});
