// Runs one action in JavaScript: see `protocol.ts`. It ends with 0 once the runner knows the outcome, and with 1 after an
// error that the action did not handle; then the error output tells which.
import { inspect } from 'node:util';
import { createActionService } from './action-service';
import { openRunnerLink } from './runner-link';
import { performAction } from './perform-action';

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

/** What was printed last is on its way until its callback is called. */
async function leave(code: number): Promise<void> {
  isOver = true;
  await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))));
  process.exit(code);
}

// Nothing is left that could ever go on.
process.on('beforeExit', () => {
  if (!isOver) fail(new Error('The action waits for something that can never happen.'));
});
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
work().catch(fail);
