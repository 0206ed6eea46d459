import { join, resolve } from 'node:path';
import { isPlainObject, SECOND_MS } from '@switchyard/base';
import { pythonStr } from '@switchyard/model';
import { versionedEntryPoint, type VersionedEntryPoint } from '../content-version/versioned-entry-point';
import { runProcess, type PreparedRun } from '../run-process';
import type { RunAbilities, RunnerPlugin, RunRequest } from '../runner-plugin';
import { Conversation } from './conversation';
import { manifest } from './manifest';
import { nodeResult } from './node-result';
import { programFile } from './program-file';
import { LOG_LEVELS, type LogLevel, type StartMessage } from './protocol';

/** The runner of actions in JavaScript and TypeScript. Each run is a process of its own. */
export const nodeScript: RunnerPlugin = {
  manifest,
  startsProcess: true,
  run: (request, abilities) => runProcess(request, abilities, () => prepare(request, abilities)),
};

/** The program of such a process: always the compiled one. */
const CHILD_PROGRAM = join(resolve(__dirname, '../..'), 'dist/node-script/child-main.js');
const DEFAULT_TIMEOUT_SECONDS = 600;

async function prepare(request: RunRequest, abilities: RunAbilities): Promise<PreparedRun> {
  const script = await versionedEntryPoint(request, abilities);
  try {
    return await prepareProgram(script, request, abilities);
  } catch (thrown) {
    await script.cleanUp?.();
    throw thrown;
  }
}

async function prepareProgram(
  { path, cleanUp }: VersionedEntryPoint,
  request: RunRequest,
  { config, packConfig }: RunAbilities,
): Promise<PreparedRun> {
  const { env, timeout } = request.runnerParameters;
  const file = programFile(path, request.action.ref);
  const conversation = new Conversation(startMessage(file, request, await packConfig()));
  const timeoutSeconds = typeof timeout === 'number' ? timeout : DEFAULT_TIMEOUT_SECONDS;
  return {
    process: {
      // For whoever looks at the list of processes; the program is told over its channel.
      command: {
        file: process.execPath,
        args: [CHILD_PROGRAM, `--action=${request.action.ref}`, `--file-path=${file}`],
      },
      env: { ...config.environment, ...variables(env), ...request.environment },
      timeoutMs: timeoutSeconds * SECOND_MS,
      channels: 1,
    },
    converse: ([channel]) => channel && conversation.open(channel),
    conclude: async (ended) => nodeResult(ended, await conversation.heard(config.data), timeoutSeconds),
    async cleanUp() {
      conversation.close();
      await cleanUp?.();
    },
  };
}

function startMessage(file: string, request: RunRequest, config: Readonly<Record<string, unknown>>): StartMessage {
  const { action, executionId, actionParameters, runnerParameters } = request;
  const level = LOG_LEVELS.find((each) => each === runnerParameters['log_level']);
  return {
    file,
    pack: action.pack,
    action: action.name,
    executionId,
    parameters: actionParameters,
    config,
    logLevel: level ?? ('DEBUG' satisfies LogLevel),
  };
}

const variables = (env: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(isPlainObject(env) ? env : {}).map(([name, value]) => [name, pythonStr(value)]));
