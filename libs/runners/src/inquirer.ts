import { messageOf } from '@switchyard/base';
import { compileSchema } from '@switchyard/model';
import type { RunAbilities, RunnerPlugin, RunRequest, RunResult, RunnerDeclaration } from './runner-plugin';

const manifest: RunnerDeclaration = {
  name: 'inquirer',
  description: 'Asks a question and keeps the execution pending until someone responds.',
  enabled: true,
  runner_package: 'inquirer_runner',
  runner_module: 'inquirer_runner',
  runner_parameters: {
    schema: {
      description: 'JSON schema of the response, which is an object.',
      type: 'object',
      required: true,
      default: {
        title: 'response_data',
        type: 'object',
        properties: {
          continue: { type: 'boolean', description: 'Whether to continue.', required: true },
        },
      },
    },
    route: {
      description: 'Where to ask the question; rules for the trigger of inquiries can use it.',
      type: 'string',
      default: '',
      required: false,
    },
    roles: {
      description: 'Roles of the users who may respond; everyone if empty.',
      type: 'array',
      default: [],
      required: false,
    },
    users: {
      description: 'Names of the users who may respond; everyone if empty.',
      type: 'array',
      default: [],
      required: false,
    },
    ttl: {
      description: 'Minutes to wait for a response; 0 waits forever.',
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
