import { join } from 'node:path';
import { fault } from '@switchyard/base';
import type { Config, Paths } from '@switchyard/config';
import { unknownRunner } from '@switchyard/model';
import { ProcessStarter, ServerInterpreter } from '@switchyard/subprocess';
import { announcementRunner } from './announcement';
import { httpRequest } from './http-request/http-request';
import { inquirer } from './inquirer';
import { localShellScript } from './shell/local-shell-script';
import { nodeScript } from './node-script/node-script';
import { noop } from './noop';
import { pythonScript } from './python-script/python-script';
import { pythonSettings } from './python-script/python-settings';
import { remoteShellRunners } from './remote-shell/remote-shell-runners';
import type { RunnerPlugin, RunnerDeclaration } from './runner-plugin';
import { stackstormPaths } from './stackstorm-paths/stackstorm-paths';
import { localShellCmd } from './shell/shell-command';
import { UserAccess } from './shell/run-as';
import { winrmRunners } from './winrm/winrm-runners';
import { workflowManifests } from './workflow-manifests';

export type RunnerRegistry = ReadonlyMap<string, RunnerPlugin>;

/** What the runners need. */
export interface RunnerParts {
  readonly config: Config;
  readonly paths: Pick<Paths, 'base' | 'virtualenvs' | 'configs' | 'packsBasePaths'>;
  /** Users that commands may run as. Share one per process, because it caches answers. */
  readonly access?: UserAccess;
  /** Starts the processes of shell commands. Share one per process. */
  readonly starter?: ProcessStarter;
  /** Runners of plug-ins, from `pluginRunners`. */
  readonly added?: readonly RunnerPlugin[];
}

/** Creates all runners, by name. @throws Fault `config.plugin` for a runner of a plug-in whose name is taken */
export function runnerRegistry(parts: RunnerParts): RunnerRegistry {
  const { config, paths, access = new UserAccess(), added = [] } = parts;
  const python = pythonSettings(config, paths);
  const starter = parts.starter ?? new ProcessStarter(serverInterpreter(python.python, paths));
  const host = { access, paths: stackstormPaths(config, paths), starter };
  const plugins: RunnerPlugin[] = [
    localShellCmd(host),
    localShellScript(host),
    noop,
    ...remoteShellRunners(config),
    ...winrmRunners,
    inquirer,
    announcementRunner,
    httpRequest,
    nodeScript,
    pythonScript(python, host.paths, starter),
  ];
  const registry = new Map(plugins.map((plugin) => [plugin.manifest.name, plugin]));
  for (const plugin of added) {
    const { name, runner_package: from } = plugin.manifest;
    if (registry.has(name) || workflowManifests.some((other) => other.name === name)) {
      const values = { name: from, expected: 'each runner to have a unique name', actual: `"${name}" again` };
      throw fault('config.plugin', values);
    }
    registry.set(name, plugin);
  }
  return registry;
}

const serverInterpreter = (python: string, { base }: Pick<Paths, 'base'>): ServerInterpreter =>
  new ServerInterpreter(python, join(base, 'cache', 'spawn-server.json'));

/** All runner types: those of this process and those of the workflow engines. */
export const runnerTypes = (registry: RunnerRegistry): RunnerDeclaration[] => [
  ...[...registry.values()].map(({ manifest }) => manifest),
  ...workflowManifests,
];

/** @throws Fault that names the replacement when `name` is a former runner name of the reference */
export function runnerNamed(registry: RunnerRegistry, name: string): RunnerPlugin {
  const plugin = registry.get(name);
  if (plugin === undefined) throw unknownRunner(name);
  return plugin;
}
