import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { bootId, endProcessGroup, killMarked, processIdentity, startProcess } from '@switchyard/subprocess';
import { isAlive, printedPids } from './processes';

const start = (env: Record<string, string> = {}): ChildProcess =>
  spawn('sleep', ['60'], { detached: true, stdio: 'ignore', env: { ...process.env, ...env } });

const recorded = (pid: number) => ({ ...processIdentity(pid), pgid: pid });

describe('processIdentity', () => {
  it('is the same for one process and different for another', async () => {
    const [one, two] = [start(), start()];
    const identity = processIdentity(one.pid!);
    expect(identity).toEqual({
      pid: one.pid,
      startTime: expect.stringMatching(/^\d+$/) as string,
      bootId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
    expect(processIdentity(one.pid!)).toEqual(identity);
    expect(processIdentity(two.pid!)).not.toEqual(identity);
    one.kill('SIGKILL');
    two.kill('SIGKILL');
    await Promise.all([once(one, 'exit'), once(two, 'exit')]);
  });

  it('reads names with spaces and parentheses', async () => {
    const run = startProcess({ command: { script: `exec -a 'x) S 1' sleep 60`, shell: '/bin/bash' } });
    expect(run.identity?.startTime).toMatch(/^\d+$/);
    run.end({ graceMs: 0 });
    await run.result;
  });

  it('has no start time for a process that does not exist', () => {
    expect(processIdentity(2 ** 30)).toEqual({ pid: 2 ** 30, startTime: '', bootId: bootId() });
  });
});

describe('endProcessGroup', () => {
  it('ends the group that was recorded', async () => {
    const child = start();
    const exit = once(child, 'exit');
    expect(await endProcessGroup(recorded(child.pid!))).toBe('ended');
    expect((await exit)[1]).toBe('SIGTERM');
    expect(await endProcessGroup(recorded(child.pid!))).toBe('unverifiable');
  });

  it('does not end a later process with the same id', async () => {
    const child = start();
    expect(await endProcessGroup({ ...recorded(child.pid!), startTime: '1' })).toBe('other');
    expect(isAlive(child.pid!)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  it('reports a group from before a restart of the machine as gone', async () => {
    const child = start();
    expect(await endProcessGroup({ ...recorded(child.pid!), bootId: 'another' })).toBe('gone');
    expect(isAlive(child.pid!)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  it('finds the rest of a group with a dead leader by the marker', async () => {
    const marker = { name: 'SUBPROCESS_TEST_GROUP', value: String(process.pid) };
    const run = startProcess({ command: { script: 'sleep 60 >&- 2>&- & echo $!; sleep 0.1' }, marker });
    const group = { ...run.identity!, pgid: run.identity!.pid };
    const [pid] = printedPids((await run.result).stdout.text);
    expect(await endProcessGroup(group)).toBe('other');
    expect(isAlive(pid!)).toBe(true);
    expect(await endProcessGroup(group, { marker })).toBe('ended');
    expect(isAlive(pid!)).toBe(false);
    expect(await endProcessGroup(group, { marker })).toBe('gone');
  });
});

describe('killMarked', () => {
  it('ends only the processes with the variable', async () => {
    const name = 'SUBPROCESS_TEST_MARK';
    const [marked, longer, plain] = [start({ [name]: 'one' }), start({ [name]: 'one-more' }), start()];
    const exit = once(marked, 'exit');
    expect(await killMarked({ name, value: 'one' })).toEqual([marked.pid]);
    expect((await exit)[1]).toMatch(/SIG(TERM|KILL)/);
    expect([longer, plain].map(({ pid }) => isAlive(pid!))).toEqual([true, true]);
    expect(await killMarked({ name, value: 'nobody' })).toEqual([]);
    longer.kill('SIGKILL');
    plain.kill('SIGKILL');
    await Promise.all([once(longer, 'exit'), once(plain, 'exit')]);
  });
});
