import { messageOf } from '@switchyard/base';
import { compileSchema } from '@switchyard/model';
import type { RunAbilities, RunnerPlugin, RunRequest, RunResult, RunnerDeclaration } from './runner-plugin';

const manifest: RunnerDeclaration = {
  name: 'inquirer',
  description: 'Asks people a question, and leaves the execution pending until somebody answers.',
  enabled: true,
  runner_package: 'inquirer_runner',
  runner_module: 'inquirer_runner',
  runner_parameters: {
    schema: {
      description: 'JSON schema of the answer, an object.',
      type: 'object',
      required: true,
      default: {
        title: 'response_data',
        type: 'object',
        properties: {
          continue: { type: 'boolean', description: 'Whether the work should go on.', required: true },
        },
      },
    },
    route: {
      description: 'Where the question is to be asked; rules on the trigger of inquiries go by it.',
      type: 'string',
      default: '',
      required: false,
    },
    roles: {
      description: 'Roles of those who may answer; everybody when empty.',
      type: 'array',
      default: [],
      required: false,
    },
    users: {
      description: 'Names of those who may answer; everybody when empty.',
      type: 'array',
      default: [],
      required: false,
    },
    ttl: {
      description: 'Minutes for which the question waits; 0 for ever.',
      type: 'integer',
      default: 1440,
      required: true,
    },
  },
  output_schema: {},
};

const INQUIRY_TRIGGER = 'core.st2.generic.inquiry';

/** Dispatches the question and finishes; no process waits for the response. */
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
  // A response could never match an invalid schema.
  compileSchema(schema as Record<string, unknown>, { allowNone: true });
  await abilities.dispatch(INQUIRY_TRIGGER, { id: executionId, route });
  return { status: 'pending', result: { schema, roles, users, route, ttl } };
}
