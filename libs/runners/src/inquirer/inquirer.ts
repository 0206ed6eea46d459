import { messageOf } from '@switchyard/base';
import { compileSchema } from '@switchyard/model';
import type { RunAbilities, RunnerPlugin, RunRequest, RunResult } from '../runner-plugin';
import { manifest } from './manifest';

const INQUIRY_TRIGGER = 'core.st2.generic.inquiry';

/** Tells that a question is to be asked, and is done: no process waits for the answer. */
export const inquirer: RunnerPlugin = {
  manifest,
  startsProcess: false,
  run: (request, abilities) => ({
    result: ask(request, abilities).catch((error: unknown) => ({
      status: 'failed',
      result: { error: messageOf(error) },
    })),
    cancel: () => undefined,
  }),
};

async function ask({ executionId, runnerParameters }: RunRequest, abilities: RunAbilities): Promise<RunResult> {
  const { schema, roles, users, route, ttl } = runnerParameters;
  // One that makes no sense could never be answered.
  compileSchema(schema as Record<string, unknown>, { allowNone: true });
  await abilities.dispatch(INQUIRY_TRIGGER, { id: executionId, route });
  return { status: 'pending', result: { schema, roles, users, route, ttl } };
}
