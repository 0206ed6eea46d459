import { fault } from '@switchyard/base';
import { maskParameters } from '@switchyard/model';
import { failedRun } from './run-process';
import type { RunAbilities, RunnerPlugin, RunRequest, RunResult, RunnerDeclaration } from './runner-plugin';

const manifest: RunnerDeclaration = {
  name: 'announcement',
  description: 'Sends an announcement to all readers of the event stream.',
  enabled: true,
  runner_package: 'announcement',
  runner_module: 'announcement',
  runner_parameters: {
    experimental: {
      type: 'boolean',
      description: 'Must be true, to confirm that this runner is experimental.',
      required: true,
      default: false,
    },
    route: {
      type: 'string',
      description: 'Route of the announcement, by which readers select.',
      minLength: 1,
      maxLength: 255,
      default: 'general',
    },
  },
  output_schema: {},
};

/** Publishes the parameters of its action on the event stream. Secrets are masked, because anybody may listen. */
export const announcementRunner: RunnerPlugin = {
  manifest,
  startsProcess: false,
  run: (request, abilities) => ({
    result: announce(request, abilities).catch(failedRun),
    // It finishes immediately, so there is nothing to cancel.
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
