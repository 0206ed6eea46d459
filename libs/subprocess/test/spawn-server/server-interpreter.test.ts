import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServerInterpreter } from '@switchyard/subprocess';
import { aStarter, cleanUpStarters, describeServer, folder, program } from './starters';

cleanUpStarters();

/** A version manager's shim that counts its starts, and the file where the interpreter behind it is remembered. */
function aShim(name: string) {
  const [log, file] = [join(folder, `${name}.log`), join(folder, `${name}-shim`, 'interpreter.json')];
  const write = (comment: string) =>
    program(`${name}-python`, `#!/bin/sh\n# ${comment}\necho >> ${log}\nexec python3 "$@"\n`);
  const path = write('The first version.');
  return {
    file,
    path,
    replace: () => write('A later version.'),
    starts: () => readFileSync(log, 'utf8').length,
    /** Runs a command through a new server. */
    async serve() {
      const { starter, run, warnings } = aStarter(new ServerInterpreter(path, file));
      const { stdout } = await run('echo $PPID');
      expect(stdout.text).toBe(`${starter.serverPid}\n`);
      expect(warnings).toEqual([]);
      await starter.close();
    },
  };
}

describeServer('the interpreter of spawn servers', () => {
  it('is started directly, once a server has run behind a shim, until the shim changes', async () => {
    const shim = aShim('counted');
    await shim.serve();
    await shim.serve();
    expect(shim.starts()).toBe(1);
    shim.replace();
    await shim.serve();
    await shim.serve();
    expect(shim.starts()).toBe(2);
  });

  it('is forgotten if it cannot run a server', async () => {
    const shim = aShim('broken');
    await shim.serve();
    const broken = program('python-that-ends', '#!/bin/sh\nexit 3\n');
    const { ino, mtimeMs } = statSync(broken);
    const { asked } = JSON.parse(readFileSync(shim.file, 'utf8')) as Record<string, unknown>;
    writeFileSync(shim.file, JSON.stringify({ asked, real: { path: broken, version: `${ino}-${mtimeMs}` } }));
    const { run, warnings } = aStarter(new ServerInterpreter(shim.path, shim.file));
    // Started directly.
    expect(await run('echo $PPID')).toMatchObject({ stdout: { text: `${process.pid}\n` } });
    expect(warnings).toHaveLength(1);
    expect(existsSync(shim.file)).toBe(false);
    await shim.serve();
  });

  it('is not remembered if its name leads to it directly', async () => {
    const file = join(folder, 'direct.json');
    const first = aStarter();
    await first.run('true');
    const direct = realpathSync(`/proc/${first.starter.serverPid}/exe`);
    const { run, warnings } = aStarter(new ServerInterpreter(direct, file));
    await run('true');
    expect([warnings, existsSync(file)]).toEqual([[], false]);
  });

  it('is started by its name if the file is not usable', () => {
    const file = join(folder, 'garbage.json');
    writeFileSync(file, '{"asked":');
    expect(new ServerInterpreter('python3', file).program()).toBe('python3');
  });
});
