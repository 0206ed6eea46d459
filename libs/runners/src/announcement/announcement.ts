import { fault } from '@switchyard/base';
import { maskParameters } from '@switchyard/model';
import { failedRun } from '../run-process';
import type { RunAbilities, RunnerPlugin, RunRequest, RunResult } from '../runner-plugin';
import { manifest } from './manifest';

/**
 * Hands the parameters of its action to listeners of the stream (interface sheet "execution", 13.2). Secret ones are masked:
 * anybody may listen.
 */
export const announcement: RunnerPlugin = {
  manifest,
  startsProcess: false,
  run: (request, abilities) => ({
    result: announce(request, abilities).catch(failedRun),
    // It is over in a moment; there is nothing to stop.
    cancel: () => undefined,
  }),
};

async function announce(request: RunRequest, abilities: RunAbilities): Promise<RunResult> {
  const { experimental, route } = request.runnerParameters;
  if (experimental !== true) throw fault('runner.not-experimental', { ref: request.action.ref });
  const name = typeof route === 'string' ? route : manifest.runner_parameters['route']?.default;
  const told = maskParameters(request.actionParameters, request.action.parameters);
  await abilities.announce(String(name), told);
  return { status: 'succeeded', result: { output: told, ...told } };
}
