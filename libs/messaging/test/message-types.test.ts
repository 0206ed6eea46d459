import { poolQueue, watchQueue, type Bus, type MessageFrom } from '../src';

/*
 * The name of a queue determines the type of its messages: `npm run types` fails if an error that is expected here does
 * not occur.
 */
const QUEUE = watchQueue('announcement', 'test');

const seen: unknown[] = [];
const consumer = async (bus: Pick<Bus, 'consume'>): Promise<void> => {
  const options = { prefetch: 1, name: 'test' };
  await bus.consume('actionrunner.work', options, async ({ id, pool }) => void seen.push(id, pool));
  await bus.consume(poolQueue('gpu'), options, async ({ id, pool }) => void seen.push(id, pool));
  await bus.consume(QUEUE, options, async ({ route }) => void seen.push(route));
  // @ts-expect-error: announcements have a route, and no id
  await bus.consume(QUEUE, options, async ({ id }) => void seen.push(id));
  // @ts-expect-error: there is no such queue
  await bus.consume('actionrunner.play', options, async () => undefined);
};

it('the type of a queue determines its messages', async () => {
  const status: MessageFrom<'workflow.pause'>['type'] = 'workflow-status';
  const either: MessageFrom<ReturnType<typeof watchQueue<'workflow'>>>['type'][] = ['record-change', 'workflow-news'];
  expect([status, either]).toHaveLength(2);
  const queues: unknown[] = [];
  await consumer({ consume: async (queue) => (queues.push(queue), { pause, resume: pause, stop: pause }) });
  expect(queues).toHaveLength(5);
});

const pause = (): Promise<void> => Promise.resolve();
