import {
  announcement,
  encode,
  executionChange,
  executionOutput,
  executionStatus,
  recordChange,
  releasePermits,
  runnerControl,
  triggerInstance,
  workflowStatus,
  type Message,
} from '@switchyard/messaging';

const pointer = { id: 'a1', ref: 'core.local', revision: 1 };
const change = { ...pointer, change: 'update', liveaction_id: 'b1', status: 'running' } as const;

const cases: [string, Message][] = [
  ['liveaction.status requested', executionStatus({ ...pointer, status: 'requested' })],
  ['liveaction.status scheduled', executionStatus({ ...pointer, status: 'scheduled' })],
  ['liveaction.status scheduled.gpu', executionStatus({ ...pointer, status: 'scheduled', pool: 'gpu' })],
  ['liveaction.status handled.scheduled', executionStatus({ ...pointer, status: 'scheduled', pool: 'gpu' }, true)],
  ['scheduler.permits me', releasePermits({ requester: 'me', pool: 'gpu', count: 2, valid_ms: 1 })],
  ['liveaction.status canceling', executionStatus({ ...pointer, status: 'canceling', pool: 'gpu' })],
  ['execution update.running', executionChange(change)],
  ['execution update.canceled.roomless', executionChange({ ...change, status: 'canceled' }, false)],
  ['execution update', executionChange({ ...change, due: ['notifier'] }, false)],
  ['execution update', executionChange({ ...change, due: ['notifier'] })],
  ['execution update', executionChange({ ...change, due: ['notifier', 'workflow-engine'] })],
  ['execution update.due.workflow-engine', executionChange({ ...change, due: ['workflow-engine'], workflow: 'w1' })],
  ['execution create', executionChange({ ...change, change: 'create' })],
  ['execution.output create', executionOutput({ execution_id: 'a1', sequence: 0, output_type: 'stdout' })],
  ['actionrunner.control me', runnerControl({ instance: 'me', verb: 'cancel', id: 'a1', claim: 2 })],
  ['announcement a.b', announcement({ route: 'a.b', payload: { x: 1 } })],
  ['trigger_instances_dispatch trigger_instance', triggerInstance({ id: 'a1', ref: 'core.timer', trace: null })],
  ['trigger create', recordChange({ record: 'trigger', change: 'create', id: 'a1', ref: 'core.timer' })],
  ['workflow.status requested', workflowStatus({ ...pointer, status: 'requested' })],
];

describe('a message', () => {
  it.each(cases)('goes to %s and is valid', (where, message) => {
    expect(`${message.exchange} ${message.routingKey}`).toBe(where);
    expect(JSON.parse(encode(message).toString())).toEqual(message.body);
  });

  it('omits an absent trace', () => {
    const bodies = [null, undefined, 't'].map((trace) => triggerInstance({ id: 'a1', ref: 'r', trace: trace! }).body);
    expect(bodies.map((body) => 'trace' in body)).toEqual([false, false, true]);
  });

  it('of an announcement without data has a null payload and trace context', () => {
    expect(announcement({ route: 'a', payload: undefined }).body).toMatchObject({ payload: null, trace_context: null });
  });
});
