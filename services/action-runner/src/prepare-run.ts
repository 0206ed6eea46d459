import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RunToken } from '@switchyard/identity';
import { boundRole, unknownRunner, type DefinitionRecord } from '@switchyard/model';
import { actionEnvironment, type RunnerPlugin, type RunnerSettings, type RunRequest } from '@switchyard/runners';
import { carrierOf } from '@switchyard/telemetry';
import type { ClaimedExecution, RunDeps } from './run-execution';

/** Facts about this process and host that runs need. */
export interface RunSettings extends RunnerSettings {
  streamOutput: boolean;
  /** Bytes of output to collect before storing them; below 1, output is stored immediately. */
  outputBufferBytes: number;
  /** Base address of the API without the version, for the environment of actions. */
  apiUrl: string;
  serviceTokenTtlSeconds: number;
  /** Directories of packs; the first that holds a pack wins. */
  packDirectories: readonly string[];
}

interface PreparedRun {
  runner: RunnerPlugin;
  request: RunRequest;
  /** Revoke it when the run has ended. */
  token?: RunToken;
}

/**
 * Collects everything that a run needs: its runner, its final parameters, its environment.
 * @throws Fault when the runner is unknown, or a parameter cannot be rendered
 */
export async function prepareRun(
  deps: RunDeps,
  execution: ClaimedExecution,
  { action, runner: definition }: DefinitionRecord,
): Promise<PreparedRun> {
  const runner = deps.runners.get(definition.name);
  if (!runner) throw unknownRunner(definition.name);
  const given = deps.executions.secrets.openParameters(execution);
  const parameters = await deps.executions.parameters.finish(
    { _id: execution.definition, action, runner: definition },
    given,
    execution.context,
  );
  const token = runner.startsProcess ? await serviceToken(deps, execution) : undefined;
  const span = deps.executions.spans.ofRun(execution);
  const packDirectory = runner.startsProcess ? findPack(deps.settings.packDirectories, action.pack) : undefined;
  const request: RunRequest = {
    executionId: execution._id,
    liveactionId: execution.liveaction_id,
    action,
    ...parameters,
    ...(packDirectory === undefined ? {} : { packDirectory }),
    environment: actionEnvironment({
      pack: action.pack,
      executionId: execution._id,
      apiUrl: `${deps.settings.apiUrl}/v1`,
      ...(token === undefined ? {} : { authToken: token.token }),
      debug: parameters.runnerParameters['debug'] === true,
      ...(span && { span: carrierOf(span) }),
    }),
    context: execution.context,
  };
  return { runner, request, ...(token === undefined ? {} : { token }) };
}

/** Creates a token with which the action may call the API on its user's behalf. */
async function serviceToken({ tokens, settings }: RunDeps, execution: ClaimedExecution): Promise<RunToken | undefined> {
  const user = execution.context['user'];
  if (typeof user !== 'string' || user === '') return undefined;
  return tokens.issueForRun({
    user,
    role: boundRole(execution.context),
    ttlSeconds: settings.serviceTokenTtlSeconds,
    metadata: {
      service: 'actions_container',
      action_name: execution.action_ref,
      live_action_id: execution.liveaction_id,
    },
  });
}

const findPack = (roots: readonly string[], pack: string): string | undefined =>
  roots.map((root) => join(root, pack)).find((directory) => existsSync(directory));
