import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { read, exists, readJson, ROOT } from '../architecture/workspace';
import {
  composeFile,
  dockerStages,
  finalStage,
  imageEntrypoint,
  imagePrograms,
  instructions,
  type Container,
} from './deployment-files';

/** What the stages copy from the checkout. */
const copied = dockerStages()
  .flatMap((stage) => instructions(stage, 'COPY'))
  .filter((rest) => !rest.startsWith('--from='))
  .flatMap((rest) => rest.split(/\s+/).slice(0, -1));

describe('deploy/Dockerfile', () => {
  it('copies only files that exist in the build context', () => {
    const admitted = read('.dockerignore').split('\n');
    expect(copied.filter((path) => !exists(path) || !admitted.includes(`!${path}`))).toEqual([]);
  });

  it('copies every group of packages', () => {
    const { workspaces } = readJson<{ workspaces: string[] }>('package.json');
    expect(copied).toEqual(expect.arrayContaining(workspaces.map((glob) => glob.replace('/*', ''))));
  });

  it('leaves out what the Debian package leaves out: what the program does not need', () => {
    const [build = []] = dockerStages();
    expect(instructions(build, 'RUN').join()).toContain('node deploy/left-out.mjs node_modules libs services apps');
    const root = mkdtempSync(join(tmpdir(), 'svc-left-out-'));
    try {
      const files = {
        kept: [
          'main.js',
          'node_modules/a/index.js',
          'node_modules/a/lib/test/index.js',
          'node_modules/test/index.js',
          'node_modules/@a/tests/index.js',
        ],
        removed: ['main.d.ts', 'main.js.map', 'node_modules/a/index.d.mts', 'node_modules/a/src/a.cc', 'node_modules/@a/b/test/index.js', 'node_modules/a/prebuilds/win32-x64/a.node'], // oxfmt-ignore
      };
      for (const file of Object.values(files).flat()) {
        mkdirSync(join(root, dirname(file)), { recursive: true });
        writeFileSync(join(root, file), '');
      }
      execFileSync(process.execPath, [join(ROOT, 'deploy/left-out.mjs'), root]);
      expect(
        Object.values(files)
          .flat()
          .filter((file) => existsSync(join(root, file))),
      ).toEqual(files.kept);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it('runs as a user who is not root', () => {
    expect(instructions(finalStage(), 'USER')).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
  });

  it('has the paths of StackStorm that packs contain', () => {
    const root = mkdtempSync(join(tmpdir(), 'svc-image-'));
    try {
      const [command = ''] = instructions(finalStage(), 'RUN');
      const steps = command.split('&&').filter((step) => step.includes('/opt/stackstorm'));
      const { status, stderr } = spawnSync('sh', ['-ec', steps.join('&&').replaceAll('/opt/stackstorm', `${root}/st`)]);
      expect([status, stderr.toString()]).toEqual([0, '']);
      const links = ['packs', 'virtualenvs', 'configs', 'st2/bin/python', 'st2/bin/python3'];
      expect(links.map((link) => readlinkSync(join(root, 'st', link)))).toEqual([
        '/opt/switchyard/packs',
        '/opt/switchyard/virtualenvs',
        '/opt/switchyard/configs',
        '/usr/bin/python3',
        '/usr/bin/python3',
      ]);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it('accepts the name of a service', () => {
    expect(imageEntrypoint()).toEqual(['tini', '--', 'svc-service']);
  });

  it.each(Object.entries(imagePrograms()))('provides %s, which is built or copied', (_, target) => {
    const source = target.replace('/dist/', '/src/').replace(/\.js$/, '.ts');
    expect(read(source)).toMatch(/^#!\/usr\/bin\/env node\n/);
    const [build = []] = dockerStages();
    expect(instructions(build, 'RUN').find((rest) => rest.startsWith('chmod +x'))).toContain(target);
  });

  it('provides every program that the compose file names', () => {
    const installed = instructions(finalStage(), 'RUN').join(' ');
    const { services } = composeFile('docker-compose.yml');
    const named = Object.values(services)
      .filter(({ image }) => image.startsWith('switchyard'))
      .flatMap(({ entrypoint = imageEntrypoint(), healthcheck }: Container) => [
        entrypoint[0],
        entrypoint[2],
        healthcheck?.test[1],
      ])
      .filter((name) => name !== undefined);
    const programs = Object.keys(imagePrograms());
    expect(named.filter((name) => !programs.includes(name) && !installed.includes(` ${name} `))).toEqual([]);
  });
});
