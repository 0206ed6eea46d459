import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describePython, PythonPack } from '../python-script/python-pack';
import type { Trial } from '../runner-fixture';
import { observedTrial } from './observed-trial';
import type { Given, RunnerAdapter, Work } from './runner-adapter';

type Programs = Readonly<Record<Work, (given: Given) => string>>;

/** Works in any shell. */
export const SHELL: Programs = {
  succeed: () => 'echo fine',
  fail: () => 'echo bad >&2; exit 3',
  endless: () => 'setsid sleep 300 & echo $$ $!; wait',
  gated: ({ gate }) => `echo one; while [ ! -e '${gate}' ]; do sleep 0.05; done; echo two`,
  big: ({ bytes }) => `head -c ${bytes} /dev/zero | tr '\\0' x`,
};

const PYTHON: Programs = {
  succeed: () => 'return "fine"',
  fail: () => 'raise ValueError("bad")',
  endless: () =>
    'child = subprocess.Popen(["sleep", "300"], start_new_session=True)\nprint(os.getpid(), child.pid, flush=True)\ntime.sleep(300)',
  gated: ({ gate }) =>
    `print("one", flush=True)\nwhile not os.path.exists("${gate}"):\n    time.sleep(0.05)\nprint("two", flush=True)`,
  big: ({ bytes }) => `sys.stdout.write("x" * ${bytes})`,
};

const NODE: Programs = {
  succeed: () => 'return "fine"',
  fail: () => 'throw new Error("bad")',
  endless: () =>
    `const { pid } = require('child_process').spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
    console.log(process.pid, pid); await new Promise(() => setInterval(() => {}, 1000));`,
  gated: ({ gate }) =>
    `console.log('one'); const { existsSync } = require('fs');
    while (!existsSync('${gate}')) await new Promise((resolve) => setTimeout(resolve, 50)); console.log('two');`,
  big: ({ bytes }) => `process.stdout.write('x'.repeat(${bytes}))`,
};

export const timeLimit = ({ timeout }: Given) => (timeout === undefined ? {} : { timeout });

export function localShellCmdAdapter(): RunnerAdapter {
  return {
    runner: 'local-shell-cmd',
    notes: {},
    open: async () => undefined,
    close: async () => undefined,
    begin: (work, given = {}) =>
      observedTrial(
        {
          runner: 'local-shell-cmd',
          parameters: { cmd: SHELL[work](given), env: { SECRET: given.secret ?? '' }, ...timeLimit(given) },
        },
        given,
      ),
  };
}

/** A runner of script files in its own pack. @param wrap turns a program into a complete file */
function fileAdapter(
  runner: string,
  programs: Programs,
  extension: string,
  wrap: (program: string) => string,
  secrets: (secret: string) => Partial<Trial>,
): RunnerAdapter {
  const packDirectory = mkdtempSync(join(tmpdir(), 'runner-contract-'));
  let count = 0;
  return {
    runner,
    notes: {},
    open: async () => undefined,
    close: async () => rmSync(packDirectory, { recursive: true }),
    begin(work, given = {}) {
      const entry_point = `act-${++count}${extension}`;
      const path = join(packDirectory, 'actions', entry_point);
      mkdirSync(join(packDirectory, 'actions'), { recursive: true });
      writeFileSync(path, wrap(programs[work](given)));
      chmodSync(path, 0o755);
      const secret = secrets(given.secret ?? '');
      const parameters = { ...secret.parameters, ...timeLimit(given) };
      return observedTrial({ runner, packDirectory, action: { entry_point }, ...secret, parameters }, given);
    },
  };
}

export const localShellScriptAdapter = (): RunnerAdapter =>
  fileAdapter(
    'local-shell-script',
    SHELL,
    '.sh',
    (program) => `#!/bin/sh\n${program}\n`,
    (SECRET) => ({ parameters: { env: { SECRET } } }),
  );

export const nodeScriptAdapter = (): RunnerAdapter =>
  fileAdapter(
    'node-script',
    NODE,
    '.js',
    (program) => `module.exports = async () => { ${program} };\n`,
    (password) => ({ actionParameters: { password }, abilities: { packConfig: async () => ({ password }) } }),
  );

export function pythonScriptAdapter(): RunnerAdapter {
  const pack = new PythonPack();
  return {
    runner: 'python-script',
    describe: describePython,
    notes: {},
    open: async () => undefined,
    close: () => pack.remove(),
    begin: (work, given = {}) =>
      observedTrial(
        {
          runner: 'python-script',
          plugin: pack.plugin,
          packDirectory: pack.directory,
          action: { pack: 'garden', ref: 'garden.weed', name: 'weed', entry_point: pack.action(PYTHON[work](given)) },
          parameters: timeLimit(given),
          actionParameters: { password: given.secret ?? '' },
          abilities: { packConfig: async () => ({ password: given.secret ?? '' }) },
        },
        given,
      ),
  };
}
