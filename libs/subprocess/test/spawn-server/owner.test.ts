import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endOrphanedSpawnServers, killMarked } from '@switchyard/subprocess';
import { isAlive } from '../processes';
import { cleanUpStarters, describeServer, folder, newMarker, untilDead } from './starters';

cleanUpStarters();

/** Starts the scripts that it reads, one a line, and prints the ids of the first process and of the server. */
const PROGRAM = `
  const { ProcessStarter } = require('@switchyard/subprocess');
  const [name, value] = process.argv.slice(1);
  const starter = new ProcessStarter('python3');
  const start = (script) => starter.start({ command: { script }, marker: { name, value } }, console.error);
  const main = async () => {
    const { identity } = await start('sleep 600');
    console.log(identity.pid);
    console.log(starter.serverPid);
  };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    void start(line);
    setImmediate(() => console.log('sent'));
  });
  main();
`;

const owners: ChildProcess[] = [];
const markers: { name: string; value: string }[] = [];

async function anOwner() {
  const marker = newMarker();
  markers.push(marker);
  const owner = spawn(process.execPath, ['-e', PROGRAM, marker.name, marker.value], { cwd: __dirname });
  owners.push(owner);
  const printed = createInterface({ input: owner.stdout })[Symbol.asyncIterator]();
  const next = async () => String((await printed.next()).value);
  const [child, server] = [Number(await next()), Number(await next())];
  return {
    child,
    server,
    marker,
    async ask(script: string) {
      owner.stdin.write(`${script}\n`);
      await next();
    },
    async kill() {
      owner.kill('SIGKILL');
      await once(owner, 'exit');
    },
  };
}

afterEach(async () => {
  for (const owner of owners.splice(0)) owner.kill('SIGKILL');
  await Promise.all(markers.splice(0).map((marker) => killMarked(marker)));
});

describeServer('kill -9 of the owner of a spawn server', () => {
  it('ends the server, and leaves its processes to recovery, which finds them by their marker', async () => {
    const { child, server, marker, kill } = await anOwner();
    await kill();
    await untilDead(server);
    expect(isAlive(child)).toBe(true);
    expect(await killMarked(marker)).toContain(child);
    expect(isAlive(child)).toBe(false);
  });

  it('together with the server leaves processes that are found', async () => {
    const { child, server, marker, kill } = await anOwner();
    process.kill(server, 'SIGKILL');
    await kill();
    expect(await killMarked(marker)).toEqual(isAlive(child) ? [child] : expect.anything());
    expect(isAlive(child)).toBe(false);
  });

  it.each<[string, (server: number) => Promise<unknown>]>([
    ['that is continued', (server) => Promise.resolve(process.kill(server, 'SIGCONT'))],
    ['that recovery finds', async (server) => expect(await endOrphanedSpawnServers()).toContain(server)],
  ])('prevents a stopped server %s from starting the requested process', async (name, act) => {
    const file = join(folder, name.replaceAll(' ', '-'));
    const { server, ask, kill } = await anOwner();
    process.kill(server, 'SIGSTOP');
    await ask(`: > ${file}`);
    await kill();
    await act(server);
    await untilDead(server);
    expect(existsSync(file)).toBe(false);
  });

  it('is noticed by recovery alone: servers of living owners stay', async () => {
    const { server } = await anOwner();
    expect(await endOrphanedSpawnServers()).not.toContain(server);
    expect(isAlive(server)).toBe(true);
  });
});

/** Takes all descriptors, starts a process, gives them back and starts another one. Prints how both ended. */
const FULL_PROGRAM = `
  const { closeSync, openSync } = require('node:fs');
  const { ProcessStarter } = require('@switchyard/subprocess');
  const starter = new ProcessStarter('python3');
  const run = async (script) => {
    const marker = { name: 'SUBPROCESS_TEST_FULL', value: String(process.pid) };
    const { cause, exitCode, spawnError } = await (await starter.start({ command: { script }, marker }, () => undefined)).result;
    return [cause, exitCode, spawnError?.code];
  };
  const main = async () => {
    if (process.argv[1] === 'started') await run('true');
    const taken = [];
    try {
      for (;;) taken.push(openSync('/dev/null'));
    } catch {}
    const results = [];
    for (let round = 0; round < 40; round++) results.push(await run('exit 3'));
    for (const fd of taken) closeSync(fd);
    console.log(JSON.stringify([results.filter(([cause]) => cause !== 'exit' && cause !== 'spawn-error'), await run('exit 4')]));
    await starter.close();
  };
  main();
`;

it.each(['started', 'not started'])(
  'an owner without free descriptors, with its server %s, reports it and recovers',
  (when) => {
    const line = `ulimit -n 128; exec "$0" -e "$1" "$2"`;
    const { stdout, stderr } = spawnSync('sh', ['-c', line, process.execPath, FULL_PROGRAM, when], {
      cwd: __dirname,
      encoding: 'utf8',
    });
    expect({ stdout, stderr }).toEqual({ stdout: `${JSON.stringify([[], ['exit', 4, null]])}\n`, stderr: '' });
  },
);
