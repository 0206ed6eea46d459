import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { deferred } from '@switchyard/base';
import {
  followProcess,
  isRunning,
  processIdentity,
  type Exit,
  type FollowProcessOptions,
} from '@switchyard/subprocess';
import { discardOutputPipe, openOutputPipe } from '../src/process-output';

/** Starts a process like other code would, and follows it. */
function follow(script: string, options: FollowProcessOptions = {}) {
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
  it('follows a process that other code started to its end', async () => {
    expect(await follow('echo out; echo err >&2; exit 3').result).toMatchObject({
      cause: 'exit',
      exitCode: 3,
      stdout: { text: 'out\n' },
      stderr: { text: 'err\n' },
    });
  });

  it('ends the process at its time limit, or on request', async () => {
    expect(await follow('sleep 60', { timeoutMs: 20 }).result).toMatchObject({ cause: 'timeout', survivors: [] });
    const run = follow('sleep 60');
    run.end();
    expect(await run.result).toMatchObject({ cause: 'cancel', signal: 'SIGTERM' });
    expect(isRunning(run.identity!)).toBe(false);
  });
});

describe('isRunning', () => {
  it('distinguishes a process from a later one with the same id, and from a dead one', async () => {
    const child = spawn('sleep', ['60']);
    const identity = processIdentity(child.pid!);
    expect(isRunning(identity)).toBe(true);
    expect(isRunning({ ...identity, startTime: '1' })).toBe(false);
    child.kill();
    await once(child, 'exit');
    expect(isRunning(identity)).toBe(false);
  });
});

describe('an output pipe', () => {
  it('that no child uses is closed on both sides', async () => {
    const pipe = openOutputPipe()!;
    discardOutputPipe(pipe);
    await once(pipe.reader, 'close');
    expect(() => closeSync(pipe.writeFd)).toThrow('EBADF');
  });
});
