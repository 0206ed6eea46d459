import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { createActionService, OwnOutcome } from './action-service';
import type { ActionClass, ActionFunction, ActionService } from './contract';
import type { OutcomeMessage, NodeStartMessage } from './protocol';
import { openRunnerLink } from './runner-link';

// Runs one JavaScript action, see `protocol.ts`. Exits with 0 once the runner has the outcome, and with 1 after an unhandled
// error of the action, which is printed to standard error.

const { env } = process;

const link = openRunnerLink();
let isOver = false;

async function work(): Promise<void> {
  const start = await link.start;
  const api = { url: env['SVC_ACTION_API_URL'] ?? '', token: env['SVC_ACTION_AUTH_TOKEN'] };
  const outcome = await performAction(start, createActionService(start, api));
  await link.tell(outcome);
  await leave(0);
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : inspect(error)}\n`);
  void leave(1);
}

/** Waits until the last output is flushed. */
async function leave(code: number): Promise<void> {
  isOver = true;
  await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))));
  process.exit(code);
}

// The event loop is empty, so nothing can resume the action.
process.on('beforeExit', () => {
  if (!isOver) fail(new Error('The action is waiting for a promise that can never settle.'));
});
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
work().catch(fail);

/** Loads and runs the action. @throws whatever the action throws */
async function performAction(start: NodeStartMessage, service: ActionService): Promise<OutcomeMessage> {
  const action = await loadAction(start.file);
  const result = await (isClass(action)
    ? new action(service, start.config).run(start.parameters)
    : action(start.parameters, service, start.config));
  return result instanceof OwnOutcome ? result : { succeeded: true, result };
}

async function loadAction(file: string): Promise<ActionFunction | ActionClass> {
  const module = (await import(pathToFileURL(file).href)) as { readonly default?: unknown };
  // In compiled CommonJS modules, the default export is a member of `module.exports`.
  const outer = module.default as { readonly default?: unknown } | undefined;
  const action = typeof outer === 'function' ? outer : outer?.default;
  if (typeof action !== 'function') throw new Error(`"${file}" has no default export that is a class or a function.`);
  return action as ActionFunction | ActionClass;
}

const isClass = (action: ActionFunction | ActionClass): action is ActionClass =>
  typeof (action.prototype as { readonly run?: unknown } | undefined)?.run === 'function';
