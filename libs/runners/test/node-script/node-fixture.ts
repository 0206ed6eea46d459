import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTrial, startTrial, type Trial } from '../runner-fixture';

/** A pack whose actions the tests write. Each test file creates and removes its own. */
export function nodePack() {
  const packDirectory = mkdtempSync(join(tmpdir(), 'node-script-test-'));
  mkdirSync(join(packDirectory, 'actions'));
  const trial = (entry_point: string, rest: Partial<Trial>): Trial => ({
    runner: 'node-script',
    packDirectory,
    ...rest,
    action: { entry_point, name: 'act', ...rest.action },
  });
  let count = 0;
  /** Writes a file next to the actions and returns its entry point. */
  const write = (name: string, text: string): string => {
    writeFileSync(join(packDirectory, 'actions', name), text);
    return name;
  };
  /** An entry point with this function as its default export. */
  const action = (body: string): string =>
    write(`act-${++count}.js`, `module.exports = async (parameters, service, config) => {\n${body}\n};\n`);
  return {
    packDirectory,
    write,
    action,
    run: (entryPoint: string, rest: Partial<Trial> = {}) => runTrial(trial(entryPoint, rest)),
    start: (entryPoint: string, rest: Partial<Trial> = {}) => startTrial(trial(entryPoint, rest)),
    remove: () => rmSync(packDirectory, { recursive: true }),
  };
}
