import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { serviceEnvironment } from '@switchyard/runners';
import { RUNNER_PYTHON_MODULES } from '../../src/python-script/python-environment';
import { describePython, PythonPack } from './python-pack';

const CACHED = `
import beside, json
ours = [module for name, module in sys.modules.items() if name.startswith("st2common")]
return [ours[-1].__cached__, json.__cached__, sys.dont_write_bytecode, sys.pycache_prefix]`.trim();

const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? (readdirSync(folder, { recursive: true }) as string[]).filter((name) => /\.pyc$/.test(name))
    : [];

describePython('The compiled form of modules', () => {
  const { PYTHONDONTWRITEBYTECODE: _given, PYTHONPYCACHEPREFIX: _prefix, ...plain } = serviceEnvironment(process.env);

  it.each<[string, Record<string, string>, boolean]>([
    ['written nowhere else if the service requires this', { PYTHONDONTWRITEBYTECODE: '1' }, false],
    ['written next to those of the pack otherwise', {}, true],
  ])("is stored in the service's folder for our modules, and %s", async (_name, variables, beside) => {
    const pack = new PythonPack({ warmWorkers: false });
    pack.write('actions/beside.py', '');
    const { result } = await pack.run(CACHED, { settings: { environment: { ...plain, ...variables } } });
    const [ours, standard, ...settings] = result['result'] as [string, string, ...unknown[]];
    const folder = pack.settings.bytecode;
    expect([ours.startsWith(join(folder, RUNNER_PYTHON_MODULES)), existsSync(ours)]).toEqual([true, true]);
    expect([standard.startsWith(folder), ...settings]).toEqual([false, !beside, null]);
    // Excludes the modules of Python itself and of the pack.
    expect(filesIn(folder).filter((name) => !join('/', name).startsWith(RUNNER_PYTHON_MODULES))).toEqual([]);
    expect(filesIn(join(pack.directory, 'actions')).some((name) => name.includes('beside'))).toBe(beside);
    await pack.remove();
  });

  it('works without the folder', async () => {
    const pack = new PythonPack({ warmWorkers: false, bytecode: '/dev/null/nowhere' });
    expect(await pack.run('return 1')).toMatchObject({ status: 'succeeded', result: { stderr: '', result: 1 } });
    await pack.remove();
  });
});
