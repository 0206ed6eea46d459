import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeSsh, sshFolder, type Trial } from '../remote-shell/ssh-fixture';
import { limits, observed } from './observed-trial';
import type { Given, RunnerAdapter } from './runner-adapter';
import { SHELL, timeLimit } from './script-adapters';

type Start = (
  program: string,
  parameters: Readonly<Record<string, unknown>>,
  trial: Trial,
) => ReturnType<System['start']>;
type System = ReturnType<ReturnType<typeof sshFolder>['system']>;

/** Uses this machine as the host, so that its processes can be inspected. Call it outside of `describe`. */
export function remoteAdapters(): RunnerAdapter[] {
  const { folder, server, system } = sshFolder();
  const shell = system();
  const packDirectory = join(folder, 'pack');
  let hosts = '';
  let count = 0;
  const startScript: Start = (program, parameters, trial) => {
    const entry_point = `act-${++count}.sh`;
    mkdirSync(join(packDirectory, 'actions'), { recursive: true });
    writeFileSync(join(packDirectory, 'actions', entry_point), `#!/bin/sh\n${program}\n`);
    return shell.start('remote-shell-script', parameters, { ...trial, packDirectory, action: { entry_point } });
  };
  const adapter = (runner: string, start: Start): RunnerAdapter => ({
    runner,
    describe: describeSsh,
    notes: {},
    async open() {
      hosts ||= `127.0.0.1:${(await server()).port}`;
    },
    close: async () => undefined,
    begin: (work, given: Given = {}) =>
      observed((abilities) =>
        start(
          SHELL[work](given),
          { hosts, env: { SECRET: given.secret ?? '' }, sudo_password: given.secret ?? '', ...timeLimit(given) },
          { abilities, settings: limits(given) },
        ),
      ),
  });
  return [adapter('remote-shell-cmd', shell.startCommand), adapter('remote-shell-script', startScript)];
}
