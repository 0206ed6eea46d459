import { controlQueue, exchanges, poolQueue, queueDeclaration, watchQueue, workQueues } from '@switchyard/messaging';

/** The names that operators and monitoring use. */
const documented = `
  svc.actionrunner.req <- svc.liveaction.status requested
  svc.actionrunner.work <- svc.liveaction.status scheduled
  svc.actionrunner.cancel <- svc.liveaction.status canceling
  svc.actionrunner.pause <- svc.liveaction.status pausing
  svc.actionrunner.resume <- svc.liveaction.status resuming
  svc.notifiers.execution.work <- svc.execution update
  svc.workflow.work <- svc.workflow.status requested
  svc.workflow.pause <- svc.workflow.status pausing
  svc.workflow.resume <- svc.workflow.status resuming
  svc.workflow.cancel <- svc.workflow.status canceling
  svc.workflow.action.update <- svc.execution update,svc.execution update.due.workflow-engine
  svc.trigger_instances_dispatch.rules_engine <- svc.trigger_instances_dispatch #`;

const names = Object.keys(workQueues) as (keyof typeof workQueues)[];

describe('the work queues', () => {
  it('have the documented names and bindings', () => {
    const lines = names.map((name) => {
      const { queue, bindings } = queueDeclaration('svc', name);
      return `\n  ${queue} <- ${bindings.map(({ exchange, key }) => `${exchange} ${key}`).join()}`;
    });
    expect(lines.join('')).toBe(documented);
  });

  it.each([...names, poolQueue('gpu')])('%s is a durable quorum queue with a dead-letter exchange', (name) => {
    const { queue, options } = queueDeclaration('other', name);
    expect(queue).toBe(`other.${name}`);
    expect(options).toMatchObject({
      durable: true,
      exclusive: false,
      autoDelete: false,
      deadLetterExchange: 'other.dead_letter',
      arguments: { 'x-queue-type': 'quorum' },
    });
  });

  it('include one for each pool', () => {
    const binding = { exchange: 'svc.liveaction.status', key: 'scheduled.gpu' };
    expect(queueDeclaration('svc', poolQueue('gpu'))).toMatchObject({
      queue: 'svc.actionrunner.work.gpu',
      bindings: [binding],
    });
  });

  it.each(['', 'a.b', '#', 'x'.repeat(65)])('reject the pool name "%s"', (pool) => {
    expect(() => poolQueue(pool)).toThrow(expect.objectContaining({ code: 'messaging.invalid-pool' }));
  });
});

describe('a queue of one process', () => {
  it('is exclusive, not durable, and has a random name', () => {
    const [one, two] = [watchQueue('trigger', 'St2Timer'), watchQueue('trigger', 'St2Timer')];
    expect(queueDeclaration('svc', one)).toEqual({
      queue: expect.stringMatching(/^svc\.trigger\.watch\.St2Timer-[0-9a-f]{10}$/),
      options: { durable: false, exclusive: true, autoDelete: true },
      bindings: [{ exchange: 'svc.trigger', key: '#' }],
    });
    expect(one.name).not.toBe(two.name);
  });

  it('has the name of the runner if it is for control', () => {
    expect(queueDeclaration('svc', controlQueue('host-1'))).toMatchObject({
      queue: 'svc.actionrunner.control.host-1',
      bindings: [{ exchange: 'svc.actionrunner.control', key: 'host-1' }],
    });
  });
});

it('all exchanges for messages to one process are direct, the others are topics', () => {
  expect(Object.entries(exchanges).filter(([, type]) => type !== 'topic')).toEqual([
    ['actionrunner.control', 'direct'],
    ['scheduler.permits', 'direct'],
  ]);
});
