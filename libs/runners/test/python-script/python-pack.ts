import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ProcessStarter } from '@switchyard/subprocess';
import { isInstalled } from '@switchyard/testkit/needed-programs';
import { pythonScript } from '../../src/python-script/python-script';
import type { PythonSettings } from '../../src/python-script/python-settings';
import { WarmWorkers, type WarmLimits } from '../../src/python-script/warm/warm-workers';
import { StackstormPaths } from '../../src/stackstorm-paths/stackstorm-paths';
import { startTrial, type Trial } from '../runner-fixture';

const found = isInstalled('python3', 'tests of Python actions');

/** `describe`, skipped if there is no Python. */
export const describePython: jest.Describe = found ? describe : describe.skip;

/** A pack in its own directory, with a runner for it. */
export class PythonPack {
  readonly root = mkdtempSync(join(tmpdir(), 'python-actions-'));
  readonly directory = join(this.root, 'packs/garden');
  readonly settings: PythonSettings;
  readonly plugin;
  #count = 0;

  constructor(
    settings: Partial<PythonSettings> = {},
    limits: Partial<WarmLimits> = {},
    paths: 'off' | 'mount' = 'off',
  ) {
    this.settings = {
      python: 'python3',
      virtualenvs: join(this.root, 'virtualenvs'),
      configs: join(this.root, 'configs'),
      bytecode: join(this.root, 'cache/python'),
      commonLibs: false,
      logLevel: 'DEBUG',
      warmWorkers: true,
      installation: { base_path: this.root, packs_base_paths: [join(this.root, 'packs')], shared: null },
      ...settings,
    };
    const folders = { packs: [join(this.root, 'packs')], ...this.settings };
    this.plugin = pythonScript(
      this.settings,
      new StackstormPaths(paths, folders),
      new ProcessStarter('python3'),
      new WarmWorkers(limits),
    );
  }

  write(path: string, text: string): void {
    const file = join(this.directory, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Writes an action whose `run` has the given body. @returns its entry point */
  action(body: string, head = ''): string {
    const name = `action_${++this.#count}.py`;
    const lines = body.split('\n').map((line) => `        ${line}\n`);
    this.write(
      `actions/${name}`,
      `${HEAD}${head}\nclass Weed(Action):\n    def run(self, **given):\n${lines.join('')}`,
    );
    return name;
  }

  start(entryPoint: string, trial: Partial<Trial> = {}) {
    return startTrial({
      runner: 'python-script',
      plugin: this.plugin,
      packDirectory: this.directory,
      ...trial,
      action: { pack: 'garden', ref: 'garden.weed', name: 'weed', entry_point: entryPoint, ...trial.action },
    });
  }

  /** Runs an action with the given body. */
  run(body: string, trial: Partial<Trial> = {}) {
    return this.start(this.action(body), trial).handle.result;
  }

  async remove(): Promise<void> {
    await this.plugin.close?.();
    rmSync(this.root, { recursive: true });
  }
}

const HEAD = `
import os, subprocess, sys, time
from st2common.runners.base_action import Action
`;

/** The ids of all processes, with their command lines. */
export const EVERY_COMMAND_LINE = `
import glob
def command_lines():
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as file:
                yield file.read()
        except OSError:
            pass
`;
