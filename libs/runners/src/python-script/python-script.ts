import { fault, SECOND_MS } from '@switchyard/base';
import type { ProcessOptions, ProcessStarter } from '@switchyard/subprocess';
import type { StackstormPaths } from '../stackstorm-paths/stackstorm-paths';
import { versionedEntryPoint, type VersionedEntryPoint } from '../content-version/versioned-entry-point';
import { runProcess, type PreparedProcess } from '../run-process';
import type { RunAbilities, RunnerPlugin, RunRequest } from '../runner-plugin';
import { actionDocument, manifest } from './action-document';
import { interpreterOf } from './interpreter';
import { isolatedCommand, pythonEnvironment } from './python-environment';
import { pythonResult } from './python-result';
import { startPythonRun, type PythonRun } from './python-run';
import type { PythonSettings } from './python-settings';
import { LONGEST_RESULT_BYTES } from './result-line';
import { ServiceInterpreter } from './service-interpreter';
import { WarmWorkers } from './warm/warm-workers';

/** Runs actions that are Python classes; see docs/actions-python.md. */
export function pythonScript(
  settings: PythonSettings,
  paths: StackstormPaths,
  starter: ProcessStarter,
  workers = new WarmWorkers(),
): RunnerPlugin {
  const parts = { settings, paths, starter, workers, service: new ServiceInterpreter(settings.python) };
  return {
    manifest,
    startsProcess: true,
    run: (request, abilities) => runProcess(request, abilities, () => prepare(request, abilities, parts)),
    close: async () => void (await Promise.all([workers.close(), parts.service.close(), starter.close()])),
  };
}

interface Parts {
  readonly settings: PythonSettings;
  readonly paths: StackstormPaths;
  /** Creates pipes. */
  readonly starter: Pick<ProcessStarter, 'takePipes'>;
  readonly workers: WarmWorkers;
  readonly service: ServiceInterpreter;
}

async function prepare(request: RunRequest, abilities: RunAbilities, parts: Parts): Promise<PreparedProcess> {
  const { entry_point: given, name } = request.action;
  if (given === '') throw fault('runner.missing-python-entry-point', { name });
  const entryPoint = await versionedEntryPoint(request, abilities);
  try {
    return { ...(await prepareAction(entryPoint, request, abilities, parts)), ...cleanUpOf(entryPoint) };
  } catch (thrown) {
    await entryPoint.cleanUp?.();
    throw thrown;
  }
}

const cleanUpOf = ({ cleanUp }: VersionedEntryPoint) => (cleanUp === undefined ? {} : { cleanUp });

async function prepareAction(
  { path, packDirectory }: VersionedEntryPoint,
  request: RunRequest,
  abilities: RunAbilities,
  { settings, paths, starter, workers, service }: Parts,
): Promise<PreparedProcess> {
  const interpreter = await interpreterOf(request.action.pack, packDirectory, settings, () =>
    service.find(abilities.config.environment),
  );
  const environment = pythonEnvironment(request, abilities, interpreter, packDirectory, settings);
  const document = actionDocument(request, path, await abilities.packConfig(), settings);
  const isMounting = await paths.isMounting(abilities);
  // A worker cannot take over output of a run from inside its own user namespace.
  const mayBeWarm = settings.warmWorkers && !environment.needsOwnInterpreter && !isMounting;
  const command = isolatedCommand(interpreter.python, settings.bytecode);
  const timeoutSeconds = timeoutOf(request);
  let run: PythonRun | undefined;
  return {
    process: {
      command: isMounting ? paths.mounted(command) : command,
      env: environment.variables,
      timeoutMs: timeoutSeconds * SECOND_MS,
    },
    async start(options: ProcessOptions) {
      const worker = mayBeWarm ? workers.get(interpreter, abilities.config.environment) : undefined;
      const warn = (reason: string) =>
        abilities.logger.warn('Running a Python action in a separate interpreter.', {
          executionId: request.executionId,
          reason,
        });
      const takePipes = (count: number) =>
        starter.takePipes(count, (message, fields) => abilities.logger.warn(message, fields));
      run = await startPythonRun(document, environment.pythonPath, options, worker && { worker, takePipes }, warn);
      return run.child;
    },
    async conclude(ended) {
      const line = await run?.line?.read();
      const failure = run?.failure ?? (run?.line?.isTooLong === true ? TOO_LONG : undefined);
      const limits = abilities.config.data;
      return pythonResult({ ended, line, timeoutSeconds, limits, ...(failure !== undefined && { failure }) });
    },
  };
}

const TOO_LONG = `The result has more than ${LONGEST_RESULT_BYTES} bytes.`;

function timeoutOf({ runnerParameters: { timeout } }: RunRequest): number {
  return typeof timeout === 'number' ? timeout : Number(manifest.runner_parameters['timeout']?.['default']);
}
