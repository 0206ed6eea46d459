import type { Config, Paths } from '@switchyard/config';
import { unknownRunner } from '@switchyard/model';
import { announcement } from './announcement/announcement';
import { httpRequest } from './http-request/http-request';
import { inquirer } from './inquirer/inquirer';
import { localShellCmd } from './local-shell-cmd/local-shell-cmd';
import { localShellScript } from './local-shell-script/local-shell-script';
import { nodeScript } from './node-script/node-script';
import { noop } from './noop/noop';
import { pythonScript } from './python-script/python-script';
import { pythonSettings } from './python-script/python-settings';
import { remoteShellRunners } from './remote-shell/remote-shell-runners';
import type { RunnerPlugin, RunnerType } from './runner-plugin';
import { UserAccess } from './shell/user-access';
import { winrmRunners } from './winrm/winrm-runners';
import { workflowManifests } from './workflows/manifests';

export type RunnerRegistry = ReadonlyMap<string, RunnerPlugin>;

/** What runners are made from. */
export interface RunnerParts {
  readonly config: Config;
  readonly paths: Pick<Paths, 'base' | 'virtualenvs' | 'configs'>;
  /** Whom commands may run as; one for the whole process, as it remembers answers. */
  readonly access?: UserAccess;
}

/** All runners by name. */
export function runnerRegistry({ config, paths, access = new UserAccess() }: RunnerParts): RunnerRegistry {
  const plugins: RunnerPlugin[] = [
    localShellCmd(access),
    localShellScript(access),
    noop,
    ...remoteShellRunners(config),
    ...winrmRunners,
    inquirer,
    announcement,
    httpRequest,
    nodeScript,
    pythonScript(pythonSettings(config, paths)),
  ];
  return new Map(plugins.map((plugin) => [plugin.manifest.name, plugin]));
}

/** Every kind of action: what the runners of this process run, and what the workflow engines run. */
export const runnerTypes = (registry: RunnerRegistry): RunnerType[] => [
  ...[...registry.values()].map(({ manifest }) => manifest),
  ...workflowManifests,
];

/** @throws Fault that names the new runner when `name` is one of the reference's former names */
export function runnerNamed(registry: RunnerRegistry, name: string): RunnerPlugin {
  const plugin = registry.get(name);
  if (plugin === undefined) throw unknownRunner(name);
  return plugin;
}
