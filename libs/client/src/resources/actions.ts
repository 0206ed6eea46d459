import type { Action, ActionAlias, AliasMatch, RunnerType, StartedAlias } from '@switchyard/model';
import type { ApiTransport } from '../transport/transport';
import { answerOf, readableRecords, records, type ReadableRecords, type Records } from './records';

export interface Actions extends Omit<Records<Action>, 'delete'> {
  delete(refOrId: string, options?: { removeFiles?: boolean }): Promise<void>;
  /** The text of the file that the action runs. For a workflow this is its definition. */
  entryPoint(refOrId: string): Promise<string>;
  clone(source: string, destination: { pack: string; name: string; overwrite?: boolean }): Promise<Action>;
}

const ACTIONS = ['actions'];

export const createActions = (transport: ApiTransport): Actions => ({
  ...records<Action>(transport, ACTIONS),
  async delete(refOrId, { removeFiles = false } = {}) {
    const body = { remove_files: removeFiles };
    await transport.text({ service: 'api', method: 'DELETE', path: [...ACTIONS, refOrId], body });
  },
  entryPoint: (refOrId) =>
    transport.text({ service: 'api', method: 'GET', path: [...ACTIONS, 'views', 'entry_point', refOrId] }),
  clone: (source, { pack, name, overwrite = false }) =>
    answerOf(transport, 'POST', [...ACTIONS, source, 'clone'], { dest_pack: pack, dest_action: name, overwrite }),
});

export interface RunnerTypesResource extends ReadableRecords<RunnerType> {
  setEnabled(runner: RunnerType, enabled: boolean): Promise<RunnerType>;
}

const RUNNER_TYPES = ['runnertypes'];

export const createRunnerTypes = (transport: ApiTransport): RunnerTypesResource => ({
  ...readableRecords<RunnerType>(transport, RUNNER_TYPES),
  setEnabled: (runner, enabled) => answerOf(transport, 'PUT', [...RUNNER_TYPES, runner.id], { ...runner, enabled }),
});

/** A chat command with its author and channel. */
export interface AliasCommand {
  command: string;
  user: string;
  source_channel: string;
  notification_channel?: string;
  notification_route?: string;
}

export interface ActionAliases extends Records<ActionAlias> {
  /** @throws ApiError with status 400 if the command matches no alias or several */
  match(command: string): Promise<AliasMatch>;
  /** Runs the alias that matches the command, once for each match if the alias allows several. */
  execute(command: AliasCommand): Promise<StartedAlias[]>;
}

const ALIASES = ['actionalias'];

export const createActionAliases = (transport: ApiTransport): ActionAliases => ({
  ...records<ActionAlias>(transport, ALIASES),
  match: (command) => answerOf(transport, 'POST', [...ALIASES, 'match'], { command }),
  async execute(command) {
    const path = ['aliasexecution', 'match_and_execute'];
    return (await answerOf<{ results: StartedAlias[] }>(transport, 'POST', path, command)).results;
  },
});
