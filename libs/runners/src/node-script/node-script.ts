import { existsSync } from 'node:fs';
import { join, resolve, extname } from 'node:path';
import { isPlainObject, SECOND_MS, fault } from '@switchyard/base';
import { pythonStr } from '@switchyard/model';
import {
  versionedEntryPoint,
  type VersionedEntryPoint,
  contentVersionParameters,
} from '../content-version/versioned-entry-point';
import { runProcess, type PreparedProcess } from '../run-process';
import type { RunAbilities, RunnerPlugin, RunRequest, RunnerDeclaration } from '../runner-plugin';
import { Conversation } from './conversation';
import { nodeResult } from './node-result';
import { LOG_LEVELS, type NodeLogLevel, type NodeStartMessage } from './protocol';

const manifest: RunnerDeclaration = {
  name: 'node-script',
  description: 'Runs an action of a pack that is written in JavaScript or TypeScript.',
  enabled: true,
  runner_package: 'node-script',
  runner_module: 'node-script',
  runner_parameters: {
    ...contentVersionParameters,
    env: { type: 'object', description: 'Environment variables for the action, by name.' },
    log_level: {
      type: 'string',
      description: 'Lowest level of the log messages that are written.',
      enum: [...LOG_LEVELS],
      default: 'DEBUG',
    },
    timeout: { type: 'integer', description: 'Timeout in seconds.', default: 600 },
  },
  output_key: 'result',
  output_schema: {
    type: 'object',
    properties: {
      result: {
        anyOf: [
          { type: 'object' },
          { type: 'string' },
          { type: 'integer' },
          { type: 'number' },
          { type: 'boolean' },
          { type: 'array' },
          { type: 'null' },
        ],
      },
      stdout: { type: 'string', required: true },
      stderr: { type: 'string', required: true },
      exit_code: { type: 'integer', required: true },
    },
    additionalProperties: false,
  },
};

/** Runs JavaScript and TypeScript actions, each in its own process. */
export const nodeScript: RunnerPlugin = {
  manifest,
  startsProcess: true,
  run: (request, abilities) => runProcess(request, abilities, () => prepare(request, abilities)),
};

/** The program of the child process, always from the build output. */
const CHILD_PROGRAM = join(resolve(__dirname, '../..'), 'dist/node-script/child-main.js');
const DEFAULT_TIMEOUT_SECONDS = 600;

async function prepare(request: RunRequest, abilities: RunAbilities): Promise<PreparedProcess> {
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
): Promise<PreparedProcess> {
  const { env, timeout } = request.runnerParameters;
  const file = programFile(path, request.action.ref);
  const conversation = new Conversation(startMessage(file, request, await packConfig()));
  const timeoutSeconds = typeof timeout === 'number' ? timeout : DEFAULT_TIMEOUT_SECONDS;
  return {
    process: {
      // The arguments are only for process lists; the program receives its input over the channel.
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

function startMessage(file: string, request: RunRequest, config: Readonly<Record<string, unknown>>): NodeStartMessage {
  const { action, executionId, actionParameters, runnerParameters } = request;
  const level = LOG_LEVELS.find((each) => each === runnerParameters['log_level']);
  return {
    file,
    pack: action.pack,
    action: action.name,
    executionId,
    parameters: actionParameters,
    config,
    logLevel: level ?? ('DEBUG' satisfies NodeLogLevel),
  };
}

const variables = (env: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(isPlainObject(env) ? env : {}).map(([name, value]) => [name, pythonStr(value)]));

const PROGRAMS = ['.js', '.mjs', '.cjs'];

/**
 * Finds the file to run for an entry point; for TypeScript, the compiled file next to it.
 * @throws Fault `runner.not-a-node-program`, `runner.no-program`
 */
function programFile(path: string, ref: string): string {
  const type = extname(path);
  if (type !== '.ts' && !PROGRAMS.includes(type)) throw fault('runner.not-a-node-program', { path, ref });
  const stem = path.slice(0, -type.length);
  const found = (type === '.ts' ? PROGRAMS.map((each) => stem + each) : [path]).find((file) => existsSync(file));
  if (found === undefined) throw fault('runner.no-program', { path: type === '.ts' ? `${stem}.js` : path, ref });
  return found;
}
