import type { ParameterDefinitions } from '@switchyard/model';
import type { ApiTransport } from '../transport/transport';
import type { Execution } from './executions';
import { answerOf, readableRecords, records, type PackContent, type ReadableRecords, type Records } from './records';

/** An action as the API shows it. */
export interface Action extends PackContent {
  enabled: boolean;
  runner_type: string;
  entry_point: string;
  parameters: ParameterDefinitions;
  output_schema?: Record<string, unknown>;
  tags?: { name: string; value: string }[];
  notify?: Record<string, unknown>;
}

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

export interface RunnerType {
  id: string;
  uid: string;
  name: string;
  description?: string;
  enabled: boolean;
  runner_package?: string;
  runner_module: string;
  runner_parameters: ParameterDefinitions;
  output_key?: string;
  output_schema?: Record<string, unknown>;
}

export interface RunnerTypesResource extends ReadableRecords<RunnerType> {
  setEnabled(runner: RunnerType, enabled: boolean): Promise<RunnerType>;
}

const RUNNER_TYPES = ['runnertypes'];

export const createRunnerTypes = (transport: ApiTransport): RunnerTypesResource => ({
  ...readableRecords<RunnerType>(transport, RUNNER_TYPES),
  setEnabled: (runner, enabled) => answerOf(transport, 'PUT', [...RUNNER_TYPES, runner.id], { ...runner, enabled }),
});

/** The formats of a chat command, and the action that it runs. */
export interface ActionAlias extends PackContent {
  enabled: boolean;
  /** Reference of the action. */
  action_ref: string;
  formats: (string | { display?: string; representation?: string[]; match_multiple?: boolean })[];
  ack: Record<string, unknown>;
  result: Record<string, unknown>;
  extra: Record<string, unknown>;
  immutable_parameters: Record<string, unknown>;
  /** Why `immutable_parameters` cannot be shown. */
  error?: string;
}

export interface AliasMatch {
  actionalias: ActionAlias;
  /** The pattern as help shows it. */
  display: string | null;
  /** The pattern that the command matches. */
  representation: string;
}

/** A chat command with its author and channel. */
export interface AliasCommand {
  command: string;
  user: string;
  source_channel: string;
  notification_channel?: string;
  notification_route?: string;
}

export interface StartedAlias {
  execution: Execution;
  actionalias: ActionAlias;
  /** The acknowledgement, if the alias has one. */
  message?: string;
  extra?: unknown;
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
