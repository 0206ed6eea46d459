import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { deferred } from '@switchyard/base';
import { killMarked } from '@switchyard/subprocess';
import { isAlive, printedPids } from '../processes';
import {
  aStarter,
  changedPython,
  cleanUpStarters,
  describeServer,
  folder,
  hasServer,
  itOnServer,
  newMarker,
  program,
  untilDead,
} from './starters';

cleanUpStarters();

const lines = (path: string) => readFileSync(path, 'utf8').split('\n').length - 1;

describeServer('a spawn server', () => {
  it('starts on demand, is shared, and ends when it is closed', async () => {
    const { starter, run } = aStarter();
    expect(starter.serverPid).toBeUndefined();
    const parents = await Promise.all([run('echo $PPID'), run('echo $PPID')]);
    const pid = starter.serverPid!;
    expect(parents.map(({ stdout }) => stdout.text)).toEqual([`${pid}\n`, `${pid}\n`]);
    await starter.close();
    expect(isAlive(pid)).toBe(false);
  });

  it('stays until its last process has ended', async () => {
    const { starter, start } = aStarter();
    const running = await start('echo going; sleep 0.3; exit 7');
    const pid = starter.serverPid!;
    await starter.close();
    expect(await running.result).toMatchObject({ cause: 'exit', exitCode: 7, stdout: { text: 'going\n' } });
    expect(isAlive(pid)).toBe(false);
  });

  it('ends when it is idle, and the next process starts another one', async () => {
    const { starter, run, warnings } = aStarter('python3', { idleMs: 50 });
    await run('true');
    const first = starter.serverPid!;
    await untilDead(first);
    expect(await run('echo $PPID')).toMatchObject({ exitCode: 0 });
    expect(starter.serverPid).not.toBe(first);
    expect(warnings).toEqual([]);
  });

  it('has no secrets in its arguments and environment', async () => {
    process.env['SUBPROCESS_TEST_SECRET'] = 'of-the-service';
    const { starter, run } = aStarter();
    await run('true', { env: { TOKEN: 'of-the-action' }, stdin: 'password' });
    delete process.env['SUBPROCESS_TEST_SECRET'];
    const proc = `/proc/${starter.serverPid}`;
    const shown = readFileSync(`${proc}/cmdline`, 'utf8') + readFileSync(`${proc}/environ`, 'utf8');
    expect(shown).toContain('spawn_server.py');
    for (const secret of ['of-the-service', 'of-the-action', 'password']) expect(shown).not.toContain(secret);
  });

  it('holds no descriptors of processes that have ended', async () => {
    const { starter, run } = aStarter();
    const count = async () => Number((await run(`ls /proc/${starter.serverPid}/fd | wc -l`)).stdout.text);
    await run('true');
    const before = await count();
    await Promise.all(Array.from({ length: 100 }, () => run('cat; exit 1', { stdin: 'in' })));
    // New pipes may be in the middle of creation.
    while ((await count()) > before) await delay(5);
  });
});

describeServer('kill -9 of a spawn server', () => {
  it('while it is idle is repaired by the next start', async () => {
    const { starter, run, warnings } = aStarter();
    await run('true');
    const first = starter.serverPid!;
    process.kill(first, 'SIGKILL');
    await untilDead(first);
    expect((await run('exit 3')).exitCode).toBe(3);
    expect((await run('echo $PPID')).stdout.text).toBe(`${starter.serverPid}\n`);
    expect(starter.serverPid).not.toBe(first);
    expect(warnings).toMatchObject([{ reason: 'It ended with SIGKILL.' }]);
  });

  it('ends its processes, with an unknown exit status', async () => {
    const { starter, start } = aStarter();
    const printed = deferred();
    const onOutput = () => printed.resolve();
    const run = await start('setsid sleep 60 & echo $!; sleep 60', { graceMs: 100, onOutput });
    await printed.promise;
    process.kill(starter.serverPid!, 'SIGKILL');
    const result = await run.result;
    expect(result).toMatchObject({ cause: 'lost', exitCode: null, signal: null, survivors: [] });
    expect([run.identity!.pid, ...printedPids(result.stdout.text)].filter(isAlive)).toEqual([]);
  });

  it('loses and doubles none of the requests that it has not begun', async () => {
    const { starter, run } = aStarter();
    const file = join(folder, 'once');
    await run(`: > ${file}`);
    process.kill(starter.serverPid!, 'SIGSTOP');
    const runs = Array.from({ length: 20 }, () => run(`echo x >> ${file}`));
    await new Promise(setImmediate);
    process.kill(starter.serverPid!, 'SIGKILL');
    const causes = (await Promise.all(runs)).map(({ cause, exitCode }) => [cause, exitCode]);
    expect(causes).toEqual(Array.from({ length: 20 }, () => ['exit', 0]));
    expect(lines(file)).toBe(20);
  });

  it('at a random moment starts nothing twice', async () => {
    const file = join(folder, 'random');
    for (let round = 0; round < 10; round++) {
      const { starter, run } = aStarter();
      await run(`: > ${file}`);
      const runs = Array.from({ length: 20 }, (_, index) => run(`echo ${index} >> ${file}`));
      const killed = new Promise<void>((resolve) => {
        setTimeout(() => resolve(void process.kill(starter.serverPid!, 'SIGKILL')), round);
      });
      const results = await Promise.all(runs);
      await killed;
      const written = readFileSync(file, 'utf8').split('\n').slice(0, -1);
      expect(new Set(written).size).toBe(written.length);
      const missing = results.filter(({ cause }, index) => cause === 'exit' && !written.includes(String(index)));
      expect(missing).toEqual([]);
    }
  });

  it.each([
    ['before', 'os.posix_spawn = lambda *_args, **_options: os._exit(1)'],
    [
      'after',
      'spawn = os.posix_spawn\nos.posix_spawn = lambda *args, **options: spawn(*args, **options) and os._exit(1)',
    ],
  ])('%s a start that it has announced leaves no process, and is reported', async (name, change) => {
    const { run } = aStarter(changedPython(name, change));
    const marker = newMarker();
    expect(await run('sleep 60', { marker })).toMatchObject({ cause: 'lost', exitCode: null, survivors: [] });
    expect(await killMarked(marker)).toEqual([]);
  });
});

describeServer('a spawn server that hangs', () => {
  it('because it was stopped is continued, and loses nothing', async () => {
    const { starter, start, run, warnings } = aStarter('python3', { answerMs: 600_000 });
    const running = await start('sleep 0.2; exit 6');
    const pid = starter.serverPid!;
    process.kill(pid, 'SIGSTOP');
    const file = join(folder, 'continued');
    const pending = run(`echo x >> ${file}; echo $PPID`);
    expect((await pending).stdout.text).toBe(`${pid}\n`);
    expect(await running.result).toMatchObject({ cause: 'exit', exitCode: 6 });
    expect([lines(file), warnings]).toEqual([1, []]);
  });

  it('keeps the exit statuses of processes that have ended', async () => {
    const { starter, start } = aStarter('python3', { answerMs: 600_000 });
    const runs = [await start('sleep 0.1; exit 9'), await start('sleep 0.1; kill -HUP $$')];
    process.kill(starter.serverPid!, 'SIGSTOP');
    const [exit, signal] = await Promise.all(runs.map(({ result }) => result));
    expect(exit).toMatchObject({ cause: 'exit', exitCode: 9 });
    expect(signal).toMatchObject({ cause: 'signal', signal: 'SIGHUP' });
    await starter.close();
  });

  it('is killed, and its requests are started directly', async () => {
    const silent = program('silent', '#!/bin/sh\nprintf "ready\\n"\nexec sleep 600\n');
    const { starter, run, warnings } = aStarter(silent);
    const { stdout } = await run('echo $PPID');
    expect(stdout.text).toBe(`${process.pid}\n`);
    await starter.close();
    expect(warnings).toMatchObject([{ reason: 'The spawn server did not respond.' }]);
  });
});

describe('without a spawn server, processes are started directly', () => {
  const indirect = program('indirect', '#!/bin/sh\npython3 "$@"\n');
  const cases: [name: string, python: string, reason: string][] = [
    ['the interpreter is missing', join(folder, 'no-python'), 'ENOENT'],
    ['it cannot run', program('broken', '#!/bin/sh\necho out of order >&2\nexit 1\n'), 'out of order'],
    ['it does not start in time', program('slow', '#!/bin/sh\nexec sleep 600\n'), 'did not start in time'],
    ['it sends invalid messages', program('nonsense', '#!/bin/sh\necho hello\nexec sleep 600\n'), '"hello"'],
  ];
  if (hasServer) cases.push(['it is not a child of this process', indirect, 'without another process']);
  it.each(cases)('if %s, with one warning', async (name, python, reason) => {
    const { starter, run, warnings } = aStarter(python, name.includes('in time') ? { readyMs: 200 } : {});
    const results = await Promise.all([run('echo $PPID'), run('echo $PPID')]);
    expect(results.map(({ stdout }) => stdout.text)).toEqual([`${process.pid}\n`, `${process.pid}\n`]);
    expect((await run('exit 4')).exitCode).toBe(4);
    await starter.close();
    expect(warnings).toEqual([
      {
        message: 'Processes are started directly, which is slower: the spawn server cannot run.',
        reason: expect.stringContaining(reason) as string,
      },
    ]);
  });

  itOnServer('if the server has no room for descriptors', async () => {
    const change = `
open_file = os.open
def full(path, *flags):
    if b"/fd/" in os.fsencode(path): raise OSError(24, "Too many open files")
    return open_file(path, *flags)
os.open = full`;
    const { run, warnings } = aStarter(changedPython('full', change));
    expect((await run('echo $PPID')).stdout.text).toBe(`${process.pid}\n`);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['much input', { stdin: 'x'.repeat(200_000) }],
    [
      'a large environment',
      { env: { LARGE: 'x'.repeat(100_000), LARGER: 'x'.repeat(100_000), LAST: 'x'.repeat(100_000) } },
    ],
    ['connections', { channels: 1 }],
  ])('if they get %s', async (_name, options) => {
    const { run } = aStarter();
    await run('true');
    expect((await run('/bin/cat > /dev/null; echo $PPID', options)).stdout.text).toBe(`${process.pid}\n`);
  });
});

itOnServer('a server does not depend on the working directory, which may be removed', async () => {
  const { starter, run } = aStarter();
  await run('true', { cwd: folder });
  // It leaves the directory of a command once it has started it.
  while (readlinkSync(`/proc/${starter.serverPid}/cwd`) !== '/') await delay(5);
});
