import { MIB } from '@switchyard/base';
import { leakCheck, type SystemOptions } from '@switchyard/testkit/system';
import { workflowSystem, type WorkflowSystem } from '../support/workflow-system';

const later = leakCheck();

async function started(options: SystemOptions = {}): Promise<WorkflowSystem> {
  const system = await workflowSystem(options);
  later(() => system.close());
  return system;
}

const GIVES = `
version: 1.0
tasks:
  make:
    action: tests.manual
    next:
      - publish: value=<% result().value %>
        do: use
  use:
    action: tests.taking
    input:
      value: <% ctx(value) %>
output:
  - value: <% ctx(value) %>
`;

/** Runs the workflow above with a value that its first task returns. */
async function given(system: WorkflowSystem, value: unknown, action = {}) {
  await system.register({ name: 'taking', runner_type: 'manual', parameters: { value: {} } });
  await system.workflow('gives', GIVES, action);
  const { _id: id } = await system.request({ action: 'tests.gives' });
  (await system.manual.runs.until(1))[0]!.end({ result: { value } });
  const [, taking] = await system.manual.runs.until(2);
  taking!.end();
  return { taking: taking!, ...(await system.shown(await system.untilStatus(id))) };
}

// On a busy machine the value takes its time through the store.
const LARGE_MS = 120_000;

it(
  'a result of two megabytes passes through a workflow',
  async () => {
    const system = await started();
    const value = 'x'.repeat(2 * MIB);
    const { status, result, taking } = await given(system, value);
    expect(status).toBe('succeeded');
    expect((result!['output'] as { value: string }).value === value).toBe(true);
    expect(taking.request.actionParameters['value'] === value).toBe(true);
  },
  LARGE_MS,
);

describe('an output', () => {
  const output_schema = {
    type: 'object',
    properties: { value: { type: 'integer' } },
    required: ['value'],
    additionalProperties: false,
  };

  it.each([
    ['that fits its schema is one', 5, 'succeeded'],
    ['that does not is a failure', 'five', 'failed'],
  ])('%s', async (_, value, expected) => {
    const system = await started({ validateOutput: true });
    const { status, result } = await given(system, value, { output_schema });
    expect(status).toBe(expected);
    if (expected === 'failed')
      expect(result).toMatchObject({ message: 'Error validating output. See error output for more details.' });
    else expect(result).toEqual({ output: { value } });
  });

  it('may be anything while validation is off', async () => {
    const { status } = await given(await started(), 'five', { output_schema });
    expect(status).toBe('succeeded');
  });
});

describe('a secret that a workflow is given', () => {
  const SECRET = 'marzipan-4711';

  it('reaches the action, and is nowhere stored in clear', async () => {
    const system = await started();
    const parameters = { token: { type: 'string', secret: true } } as const;
    await system.register({ name: 'hidden', runner_type: 'manual', parameters });
    await system.workflow(
      'secretive',
      `
version: 1.0
input: [token]
tasks:
  tell:
    action: tests.hidden token=<% ctx(token) %>
    next:
      - publish: kept=<% ctx(token) %>
        do: again
  again:
    action: tests.hidden token=<% ctx(kept) %>
`,
      { parameters },
    );
    const { _id: id } = await system.request({ action: 'tests.secretive', parameters: { token: SECRET } });
    for (const count of [1, 2]) {
      const run = (await system.manual.runs.until(count))[count - 1]!;
      expect(run.request.actionParameters['token']).toBe(SECRET);
      run.end();
    }
    const ended = await system.untilStatus(id, 'succeeded');
    const { store, log } = system.platform;
    const children = await system.children(id);
    for (const { parameters } of [ended, ...children]) expect(parameters['token']).toBe('********');
    const steps = await store.workflows.journal(ended.context['workflow_execution'] as string);
    expect(steps.length).toBeGreaterThan(0);
    const run = await store.workflows.get(ended.context['workflow_execution'] as string);
    expect(JSON.stringify([ended, children, steps, run])).not.toContain(SECRET);
    expect(log.join('\n')).not.toContain(SECRET);
  });
});
