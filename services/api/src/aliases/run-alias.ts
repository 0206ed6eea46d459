import { fault } from '@switchyard/base';
import type { ExecutionRequest, PreparedRequest } from '@switchyard/executions';
import {
  mergeParameters,
  type ActionAliasRecord,
  type ActionRecord,
  type AliasParameters,
  type ExecutionRecord,
  type NotifySpec,
} from '@switchyard/model';
import type { Actor } from '@switchyard/identity';
import type { ApiDependencies } from '../api-dependencies';
import { acknowledge, type Acknowledgement } from './acknowledge';
import { viewAlias } from './alias-view';
import { commandParameters } from './command-parameters';

/** The sender of a command, and the destination of the answer. */
export interface CommandSource {
  readonly user: string;
  readonly source_channel: string;
  readonly source_context?: Readonly<Record<string, unknown>> | null | undefined;
  readonly notification_channel?: string | null | undefined;
  readonly notification_route?: string | null | undefined;
}

/** One run of an alias. */
export interface AliasRun {
  readonly alias: ActionAliasRecord;
  /** The text of the command. */
  readonly given: AliasParameters;
  readonly source: CommandSource;
  /** The authenticated user, for whom the action runs, and the permissions of the credential. */
  readonly actor: Actor;
  readonly requestKey?: string | undefined;
}

export interface PreparedAliasRun {
  readonly alias: ActionAliasRecord;
  readonly request: ExecutionRequest;
  readonly prepared: PreparedRequest;
}

type Needed = Pick<ApiDependencies, 'store' | 'executions' | 'datastore' | 'identities' | 'config' | 'logger'>;

/**
 * Makes every check of a run that can fail. Stores nothing.
 * @throws Fault `alias.unopened`, `alias.action-unknown`, `alias.immutable`, `auth.forbidden`, and those of requesting
 * an execution
 */
export async function prepareAliasRun(deps: Needed, run: AliasRun): Promise<PreparedAliasRun> {
  const { alias, actor } = run;
  if (alias.problem !== undefined) throw fault('alias.unopened', { problem: alias.problem });
  const action = await deps.store.actions.byKey(alias.action_ref);
  if (!action) throw fault('alias.action-unknown', { ref: alias.action_ref });
  await deps.identities.access.authorise(actor, 'action_execute', action.uid);
  const request = await requestOf(deps, run, action);
  return { alias, request, prepared: await deps.executions.prepare(request) };
}

async function requestOf(deps: Needed, run: AliasRun, action: ActionRecord): Promise<ExecutionRequest> {
  const { alias, given, source, requestKey } = run;
  const { user, boundRole: role } = run.actor;
  const context = {
    action_alias_ref: { id: alias._id, name: alias.name },
    api_user: source.user,
    user,
    source_channel: source.source_channel,
    ...(role === undefined ? {} : { rbac: { role } }),
  };
  const runner = await deps.store.runnerTypes.byKey(action.runner_type);
  const definitions = mergeParameters(runner?.runner_parameters ?? {}, action.parameters);
  const { parameters, derivedSecrets } = await commandParameters(deps, alias, given, definitions, context);
  return {
    action: alias.action_ref,
    parameters,
    literal: Object.keys(parameters),
    derivedSecrets,
    user,
    role,
    context,
    notify: notifyOf(source),
    ...(requestKey === undefined ? {} : { requestKey }),
  };
}

const notifyOf = ({ user, source_channel, source_context = null, ...told }: CommandSource): NotifySpec => ({
  'on-complete': {
    data: { user, source_channel, source_context },
    routes: [told.notification_route || told.notification_channel || null],
    literal: true,
  },
});

export interface StartedRun extends Acknowledgement {
  execution: Record<string, unknown>;
  actionalias: Record<string, unknown>;
}

/** Requests the execution, and returns what a chat bot may answer. @throws Fault `execution.request-key-taken` */
export async function startAliasRun(
  deps: Needed,
  run: PreparedAliasRun,
  options: { secrets: boolean },
): Promise<StartedRun> {
  const { alias, request, prepared } = run;
  const record = await prepared.submit();
  if (record.action_ref !== request.action) throw fault('execution.request-key-taken', { ref: record.action_ref });
  deps.logger.audit('Execution requested.', {
    execution_id: record._id,
    action: record.action_ref,
    alias: alias.ref,
    user: request.user,
    api_user: request.context?.['api_user'],
  });
  const [execution, actionalias] = await views(deps, record, alias, false);
  const said = await acknowledge(alias, { execution, actionalias });
  if (!options.secrets) return { execution, actionalias, ...said };
  const [shown, shownAlias] = await views(deps, record, alias, true);
  return { execution: shown, actionalias: shownAlias, ...said };
}

const views = ({ executions, store }: Needed, record: ExecutionRecord, alias: ActionAliasRecord, secrets: boolean) =>
  Promise.all([
    executions.view.execution(record, { showSecrets: secrets }),
    viewAlias(store, alias, { secrets }),
  ] as const);
