import { inquirer } from '../../src/inquirer';
import type { RunAbilities, RunRequest } from '../../src/runner-plugin';

const request = (runnerParameters: Record<string, unknown>) =>
  ({ executionId: 'e1', runnerParameters }) as unknown as RunRequest;

const asking = { schema: { type: 'object' }, roles: [], users: ['ada'], route: 'desk', ttl: 5 };

function abilities(dispatch: RunAbilities['dispatch']): RunAbilities {
  return { dispatch } as unknown as RunAbilities;
}

describe('the inquirer runner', () => {
  it('announces the inquiry, and leaves the execution pending with all its details', async () => {
    const told: unknown[] = [];
    const run = inquirer.run(
      request(asking),
      abilities(async (trigger, payload) => void told.push([trigger, payload])),
    );
    expect(await run.result).toEqual({ status: 'pending', result: asking });
    expect(told).toEqual([['core.st2.generic.inquiry', { id: 'e1', route: 'desk' }]]);
  });

  it('fails when the inquiry cannot be announced', async () => {
    const run = inquirer.run(
      request(asking),
      abilities(() => Promise.reject(new Error('no store'))),
    );
    expect(await run.result).toEqual({ status: 'failed', result: { error: 'no store' } });
  });

  it('fails for an unsatisfiable schema before announcing anything', async () => {
    const told: unknown[] = [];
    const run = inquirer.run(
      request({ ...asking, schema: { type: 'object', properties: { a: { type: 'nonsense' } } } }),
      abilities(async (...all) => void told.push(all)),
    );
    expect(await run.result).toMatchObject({ status: 'failed' });
    expect(told).toEqual([]);
  });
});
