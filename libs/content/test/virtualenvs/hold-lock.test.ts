import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@switchyard/testkit/platform';
import { isAlive } from '@switchyard/testkit/system';
import { setUpVirtualenv, type VirtualenvSettings } from '../../src';
import { PackDirectories, packFile, writeFiles } from '../support/pack-directory';
import { describePython } from '../support/python';

const directories = new PackDirectories();
afterAll(() => directories.clear());

const SOURCES = join(__dirname, '../../../storage/test/embedded/load-sources.js');
const SET_UP = `
const { setUpVirtualenv } = require('../../src/virtualenvs/set-up-virtualenv.ts');
const [place, settings] = JSON.parse(process.argv[1]);
void setUpVirtualenv(place, settings);`;

/** A program that prints nothing for minutes, as pip does while it builds a package, and starts another program. */
const SILENT = '#!/bin/sh\nmkdir -p "$5"; sleep 600 & echo "$$ $!" > "$0.pids"; wait\n';

describePython('the lock on an environment', () => {
  it('kills the programs of a process that dies before another process gets the lock', async () => {
    const root = await directories.root();
    const place = { name: 'tools', directory: join(root, 'packs/tools') };
    await writeFiles(place.directory, { 'pack.yaml': packFile('tools'), 'actions/run.py': 'class Run:\n    pass\n' });
    const program = join(root, 'bin/virtualenv');
    await mkdir(join(root, 'bin'));
    await writeFile(program, SILENT);
    await chmod(program, 0o755);
    const settings: VirtualenvSettings = {
      directory: join(root, 'virtualenvs'),
      python: 'python3',
      virtualenv: program,
      virtualenvOptions: ['--without-pip'],
      pipOptions: [],
      tools: join(root, 'tools'),
      installer: 'pip',
      packageCache: join(root, 'cache'),
      wheels: null,
      environment: { PATH: process.env['PATH'] },
    };

    const child = spawn(process.execPath, ['-r', SOURCES, '-e', SET_UP, JSON.stringify([place, settings])], {
      cwd: __dirname,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const pids = await eventually(
      async () => /^(\d+) (\d+)\n$/.exec(await readFile(`${program}.pids`, 'utf8').catch(() => '')) ?? undefined,
      () => 'the program that runs',
    );
    const programs = pids.slice(1).map(Number);
    expect(programs.map(isAlive)).toEqual([true, true]);

    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await setUpVirtualenv(place, { ...settings, virtualenv: '/nowhere/virtualenv' })).toBe('made');
    await eventually(
      () => Promise.resolve(programs.some(isAlive) ? undefined : true),
      () => 'the end of the programs',
    );
    expect(await readdir(join(settings.directory, '.made/tools'))).toHaveLength(1);
  });
});
