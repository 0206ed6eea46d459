import type { ExecutionRecord } from '@switchyard/model';
import { createAbilities, type ClaimedExecution, type RunDeps } from '../src/run-execution';

/** The only fields that announcing uses. */
function announcing() {
  const published: object[] = [];
  const deps = {
    settings: { streamOutput: true },
    executions: {
      traces: { ofExecution: async ({ _id }: ExecutionRecord) => ({ id_: `trace-${_id}`, trace_tag: 'mine' }) },
    },
    publisher: { publish: async (message: object) => void published.push(message) },
  } as unknown as RunDeps;
  const execution = { _id: 'e1', claim: { number: 1 }, context: {} } as unknown as ClaimedExecution;
  return { abilities: createAbilities(deps, execution, { write: () => undefined } as never), published };
}

it('an announcement carries the trace of its execution', async () => {
  const { abilities, published } = announcing();
  await abilities.announce('alerts', { text: 'hi' });
  expect(published).toMatchObject([
    {
      exchange: 'announcement',
      routingKey: 'alerts',
      body: { route: 'alerts', payload: { text: 'hi' }, trace_context: { id_: 'trace-e1', trace_tag: 'mine' } },
    },
  ]);
});
