import { isFault } from '@switchyard/base';
import { createInquiries } from '@switchyard/executions';
import { leakCheck, startSystem, type TestSystem } from '@switchyard/testkit/system';

const later = leakCheck();

const SCHEMA = {
  type: 'object',
  properties: { answer: { type: 'string', required: true }, pin: { type: 'string', secret: true } },
};

async function started(): Promise<TestSystem> {
  const system = await startSystem();
  later(() => system.close());
  await system.register({ runner_type: 'inquirer', parameters: {} });
  return system;
}

const inquiriesOf = ({ executions }: TestSystem) => createInquiries(executions);

async function asked(system: TestSystem, parameters: Record<string, unknown> = {}) {
  const { _id } = await system.request({ parameters: { schema: SCHEMA, ...parameters } });
  return system.untilStatus(_id, 'pending');
}

const result = async ({ executions }: TestSystem, id: string, open = false) =>
  executions.results.load(await executions.get(id), open);

describe('an inquiry', () => {
  it('holds neither a slot nor a claim while it waits, and outlives its runner', async () => {
    const system = await started();
    const record = await asked(system);
    expect(record).toMatchObject({ status: 'pending', runner_info: { pid: process.pid } });
    for (const field of ['slot', 'claim', 'process', 'due', 'end_timestamp']) expect(record).not.toHaveProperty(field);
    await system.runners[0]?.kill();
    const other = await system.addRunner();
    await other.stop();
    expect((await system.executions.get(record._id)).status).toBe('pending');
  });

  it('ends when it is answered', async () => {
    const system = await started();
    const { _id } = await asked(system, { route: 'desk', ttl: 5 });
    const inquiries = inquiriesOf(system);
    expect(await inquiries.get(_id)).toEqual({ id: _id, route: 'desk', ttl: 5, users: [], roles: [], schema: SCHEMA });
    expect(await inquiries.respond(_id, { answer: 'yes' }, { user: 'ada' })).toEqual({ answer: 'yes' });
    const record = await system.executions.get(_id);
    expect(record).toMatchObject({
      status: 'succeeded',
      end_timestamp: expect.any(Number),
      context: { responded_by: 'ada' },
    });
    expect(await result(system, _id)).toMatchObject({ route: 'desk', response: { answer: 'yes' } });
    await expect(inquiries.get(_id)).rejects.toThrow('has already been responded to');
  });

  it('masks secrets in the response', async () => {
    const system = await started();
    const { _id } = await asked(system);
    const shown = await inquiriesOf(system).respond(_id, { answer: 'yes', pin: 'hidden-pin' }, { user: 'ada' });
    expect(shown).toEqual({ answer: 'yes', pin: '********' });
    expect(await result(system, _id)).toMatchObject({ response: shown });
    expect(JSON.stringify(await system.executions.get(_id))).not.toContain('hidden-pin');
    expect(await result(system, _id, true)).toMatchObject({ response: { answer: 'yes', pin: 'hidden-pin' } });
  });

  it('accepts one of several concurrent responses', async () => {
    const system = await started();
    const { _id } = await asked(system);
    const users = ['ada', 'bob', 'cyd', 'dan'];
    const outcomes = await Promise.allSettled(
      users.map((user) => inquiriesOf(system).respond(_id, { answer: `of ${user}` }, { user })),
    );
    const first = outcomes.findIndex(({ status }) => status === 'fulfilled');
    const errors = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    expect(errors).toHaveLength(3);
    for (const error of errors) expect(isFault(error) && error.code).toBe('inquiry.answered');
    expect((await system.executions.get(_id)).context['responded_by']).toBe(users[first]);
    expect(await result(system, _id)).toMatchObject({ response: { answer: `of ${users[first]}` } });
  });

  it('can be canceled, which ends it', async () => {
    const system = await started();
    const { _id } = await asked(system);
    expect((await system.executions.cancel(_id, 'ada')).status).toBe('canceled');
    await expect(inquiriesOf(system).respond(_id, { answer: 'late' }, { user: 'ada' })).rejects.toThrow('is canceled');
  });

  it('notifies its workflow when it waits and when it ends', async () => {
    const system = await started();
    const { _id } = await asked(system);
    const { executions } = system;
    const { store } = system.platform;
    await store.executions.change(_id, {}, { set: { workflow_execution: 'w', status: 'running' } });
    const pending = await executions.transition(await executions.get(_id), 'pending');
    expect(pending?.due).toEqual(['workflow-engine']);
    await inquiriesOf(system).respond(_id, { answer: 'yes' }, { user: 'ada' });
    expect((await executions.get(_id)).due).toEqual(['workflow-engine']);
  });
});
