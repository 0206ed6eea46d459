import type { Endpoint } from '../winrm/endpoint';
import { access, closeAll, endpoint, packWith } from '../winrm/winrm-fixture';
import type { Trial } from '../runner-fixture';
import { observedTrial } from './observed-trial';
import type { RunnerAdapter } from './runner-adapter';
import { SHELL, timeLimit } from './script-adapters';

/** A Windows shell ends the processes started in it; the fake host does so by process group. */
const PROGRAMS = { ...SHELL, endless: () => 'sleep 300 & echo $$ $!; wait' };

type Given = Pick<Trial, 'parameters' | 'packDirectory' | 'action' | 'actionParameters'>;

function adapter(runner: string, how: (program: string, secret: string) => Given): RunnerAdapter {
  let host: Endpoint;
  return {
    runner,
    notes: {},
    open: async () => void (host = await endpoint()),
    close: closeAll,
    begin(work, given = {}) {
      const trial = how(PROGRAMS[work](given), given.secret ?? '');
      const parameters = { ...access(host), ...trial.parameters, ...timeLimit(given) };
      return observedTrial({ runner, ...trial, parameters }, given);
    },
  };
}

const inCommand = (cmd: string, SECRET: string): Given => ({ parameters: { cmd, env: { SECRET } } });

function inScript(program: string, word: string): Given {
  const { packDirectory, entry_point } = packWith(program);
  const action = { entry_point, parameters: { word: { type: 'string', secret: true } } } as const;
  return { packDirectory, action, actionParameters: { word } };
}

export const winrmAdapters = (): RunnerAdapter[] => [
  adapter('winrm-cmd', inCommand),
  adapter('winrm-ps-cmd', inCommand),
  adapter('winrm-ps-script', inScript),
];
