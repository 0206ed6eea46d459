/// <reference types="jest" />
import { deferred, newId } from '@switchyard/base';
import {
  announcement,
  controlQueue,
  DEAD_LETTER,
  DELIVERY_LIMIT,
  executionChange,
  executionStatus,
  poolQueue,
  prefixed,
  runnerControl,
  watchQueue,
  type AnnouncementMessage,
  type BrokerChannel,
  type BrokerConnection,
  type Bus,
  type ExecutionStatusMessage,
  type RunnerControlMessage,
} from '@switchyard/messaging';
import { gathered, type Gathered } from './gathered';

/** A broker that is empty of this prefix, and ways to reach it. */
export interface BusHarness {
  readonly prefix: string;
  /**
   * A further bus, as another process would have it. Its redelivery delays must be short (some milliseconds) but the
   * delivery of an unknown version may wait longer.
   */
  connect(): Promise<Bus>;
  /** A connection to the broker, to look behind the bus. */
  raw(): Promise<BrokerConnection>;
  /** Breaks every connection that `connect` has made so far; the buses find back by themselves. */
  dropConnections(): void;
  /** What the buses have logged as warnings and errors. */
  readonly log: Gathered<string>;
  close(): Promise<void>;
}

/** What both brokers, the embedded one and RabbitMQ, have to do alike. */
export function busContract(name: string, open: () => Promise<BusHarness>): void {
  describe(`the bus on ${name}`, () => {
    let harness: BusHarness;
    let bus: Bus;
    beforeEach(async () => {
      harness = await open();
      bus = await harness.connect();
    });
    afterEach(() => harness.close());

    const publish = (...statuses: ReturnType<typeof scheduled>[]) => bus.publisher().publishAll(statuses);

    /** Takes scheduled executions with a bus until the test ends. */
    async function takeWork(on = bus, prefetch = 10) {
      const ids = gathered<string>();
      const consumer = await on.consume<ExecutionStatusMessage>(
        'actionrunner.work',
        { prefetch, name: 'test' },
        async (m) => ids.add(m.id),
      );
      return { ids, consumer };
    }

    async function rawChannel(): Promise<BrokerChannel> {
      return (await harness.raw()).createConfirmChannel();
    }

    async function rawPublish(body: string): Promise<void> {
      const channel = await rawChannel();
      const done = deferred();
      channel.publish(prefixed(harness.prefix, 'liveaction.status'), 'scheduled', Buffer.from(body), {}, () =>
        done.resolve(),
      );
      await done.promise;
    }

    /** What arrives in the dead-letter queue: the names of the queues it comes from. */
    async function deadLetters(): Promise<Gathered<string>> {
      const names = gathered<string>();
      const channel = await rawChannel();
      await channel.consume(prefixed(harness.prefix, DEAD_LETTER), (message) => {
        names.add(message!.fields.routingKey);
        channel.ack(message!);
      });
      return names;
    }

    describe('routing', () => {
      it.each([
        ['#', 'a a.b a.b.c b b.c'],
        ['*', 'a b'],
        ['a', 'a'],
        ['a.#', 'a a.b a.b.c'],
        ['a.*', 'a.b'],
        ['#.c', 'a.b.c b.c'],
        ['*.b.#', 'a.b a.b.c'],
        ['a.#.c', 'a.b.c'],
        ['#.b.#', 'a.b a.b.c b b.c'],
      ])('gives a queue bound with %s the keys %s', async (pattern, expected) => {
        const routes = gathered<string>();
        const queue = watchQueue('announcement', 'test', pattern, 'the.end');
        await bus.consume<AnnouncementMessage>(queue, { prefetch: 10, name: 'test' }, async ({ route }) =>
          routes.add(route),
        );
        await bus.publisher().publishAll(['a', 'a.b', 'a.b.c', 'b', 'b.c', 'the.end'].map(routed));
        await routes.until((all) => all.includes('the.end'));
        expect(routes.items.slice(0, -1).join(' ')).toBe(expected);
      });

      it('delivers a message once though several patterns match', async () => {
        const routes = gathered<string>();
        const queue = watchQueue('announcement', 'test', 'a.*', '#', 'a.#');
        await bus.consume<AnnouncementMessage>(queue, { prefetch: 10, name: 'test' }, async ({ route }) =>
          routes.add(route),
        );
        await bus.publisher().publishAll(['a.b', 'b'].map(routed));
        await routes.until((all) => all.includes('b'));
        expect(routes.items).toEqual(['a.b', 'b']);
      });

      it('confirms a message that no queue takes', async () => {
        await expect(bus.publisher().publish(routed('nobody'))).resolves.toBeUndefined();
      });

      it('gives a pool its own scheduled executions only', async () => {
        const pooled = gathered<string>();
        await bus.consume<ExecutionStatusMessage>(poolQueue('gpu'), { prefetch: 1, name: 'test' }, async ({ id }) =>
          pooled.add(id),
        );
        const { ids } = await takeWork();
        const [common, special] = [scheduled(), scheduled('gpu')];
        await publish(common, special);
        expect([await pooled.until(1), await ids.until(1)]).toEqual([[special.body.id], [common.body.id]]);
      });

      it('gives a control request to the named runner only', async () => {
        const seen = gathered<string>();
        for (const instance of ['one', 'two']) {
          await bus.consume<RunnerControlMessage>(
            controlQueue(instance),
            { prefetch: 1, name: 'test' },
            async ({ verb }) => seen.add(`${instance} ${verb}`),
          );
        }
        const request = { id: newId(), claim: 1 };
        await bus.publisher().publish(runnerControl({ instance: 'two', verb: 'cancel', ...request }));
        await bus.publisher().publish(runnerControl({ instance: 'one', verb: 'pause', ...request }));
        await seen.until(2);
        expect([...seen.items].sort()).toEqual(['one pause', 'two cancel']);
      });
    });

    describe('a work queue', () => {
      it('keeps messages until somebody consumes, and their order', async () => {
        const all = Array.from({ length: 50 }, () => scheduled());
        await publish(...all);
        const { ids } = await takeWork(bus, 1);
        expect(await ids.until(50)).toEqual(all.map(({ body }) => body.id));
      });

      it('gives a consumer no more than its prefetch at a time', async () => {
        const busy = gathered<string>();
        const release = deferred();
        const options = { prefetch: 3, name: 'busy' };
        await bus.consume<ExecutionStatusMessage>('actionrunner.work', options, async ({ id }) => {
          busy.add(id);
          await release.promise;
        });
        await publish(...Array.from({ length: 10 }, () => scheduled()));
        await busy.until(3);
        const { ids } = await takeWork(await harness.connect());
        await ids.until(7);
        expect(busy.items).toHaveLength(3);
        release.resolve();
      });

      it('is shared by two consumers, of whom neither waits for the other', async () => {
        const begun = gathered<string>();
        const ended = gathered<string>();
        for (const who of ['one', 'two']) {
          const other = await harness.connect();
          let own = 0;
          await other.consume('actionrunner.work', { prefetch: 1, name: who }, async () => {
            own += 1;
            begun.add(who);
            // Each round goes on when both have begun it.
            await begun.until(2 * own);
            ended.add(who);
          });
        }
        await publish(...Array.from({ length: 20 }, () => scheduled()));
        await ended.until(20);
        expect(ended.items.filter((who) => who === 'one')).toHaveLength(10);
      });

      it('forgets a message that was handled', async () => {
        const first = await takeWork();
        await publish(scheduled());
        await first.ids.until(1);
        await first.consumer.stop();
        const second = await takeWork();
        const last = scheduled();
        await publish(last);
        expect(await second.ids.until(1)).toEqual([last.body.id]);
      });

      it('delivers again, and says so, what was handed back', async () => {
        const redelivered = gathered<boolean>();
        await bus.consume('actionrunner.work', { prefetch: 1, name: 'test' }, async (_, delivery) => {
          redelivered.add(delivery.redelivered);
          if (!delivery.redelivered) delivery.handBack();
          expect(delivery.acked).toBe(false);
        });
        await publish(scheduled());
        expect(await redelivered.until(2)).toEqual([false, true]);
      });

      it('serves others while a message is held back', async () => {
        const [slow, quick] = [scheduled(), scheduled()];
        const order = gathered<string>();
        await bus.consume<ExecutionStatusMessage>(
          'actionrunner.work',
          { prefetch: 2, name: 'test' },
          async (m, delivery) => {
            if (m.id === slow.body.id && !delivery.redelivered) delivery.handBack(50);
            else order.add(m.id);
          },
        );
        await publish(slow, quick);
        expect(await order.until(2)).toEqual([quick.body.id, slow.body.id]);
      });

      it('delivers again what a handler failed on, and logs it', async () => {
        const tries = gathered<boolean>();
        await bus.consume('actionrunner.work', { prefetch: 1, name: 'test' }, async (_, { redelivered }) => {
          tries.add(redelivered);
          if (!redelivered) throw new Error('no luck');
        });
        await publish(scheduled());
        expect(await tries.until(2)).toEqual([false, true]);
        expect(harness.log.items.join()).toContain('no luck');
      });

      it('does not deliver again what was acknowledged before the handler failed', async () => {
        const ids = gathered<string>();
        await bus.consume<ExecutionStatusMessage>(
          'actionrunner.work',
          { prefetch: 1, name: 'test' },
          async ({ id }, delivery) => {
            ids.add(id);
            delivery.ack();
            throw new Error('too late');
          },
        );
        const all = [scheduled(), scheduled()];
        await publish(...all);
        expect(await ids.until(2)).toEqual(all.map(({ body }) => body.id));
      });

      it('dead-letters what comes back too often', async () => {
        const dead = await deadLetters();
        let deliveries = 0;
        await bus.consume('actionrunner.work', { prefetch: 1, name: 'test' }, async () => {
          deliveries += 1;
          throw new Error('never');
        });
        await publish(scheduled());
        expect(await dead.until(1)).toEqual([prefixed(harness.prefix, 'actionrunner.work')]);
        expect(deliveries).toBe(DELIVERY_LIMIT + 1);
      });

      it('dead-letters and logs what is malformed', async () => {
        const dead = await deadLetters();
        const { ids } = await takeWork();
        const good = scheduled();
        const wrong = ['no JSON', '[]', JSON.stringify({ ...good.body, id: 5 }), JSON.stringify(executionChangeBody())];
        for (const body of wrong) await rawPublish(body);
        await publish(good);
        expect(await dead.until(wrong.length)).toHaveLength(wrong.length);
        expect(await ids.until(1)).toEqual([good.body.id]);
        expect(harness.log.items.filter((line) => line.includes('malformed'))).toHaveLength(wrong.length);
      });

      it.each([
        ['version', { v: 99 }],
        ['type', { type: 'execution-status-of-tomorrow' }],
      ])('holds a message of an unknown %s for another program', async (_, difference) => {
        const { ids, consumer } = await takeWork();
        await rawPublish(JSON.stringify({ ...scheduled().body, ...difference }));
        await harness.log.until((lines) => lines.some((line) => line.includes('another version')));
        await consumer.stop();
        const channel = await rawChannel();
        const seen = gathered<string>();
        await channel.consume(prefixed(harness.prefix, 'actionrunner.work'), (raw) =>
          seen.add(raw!.content.toString()),
        );
        const [held] = await seen.until(1);
        expect(JSON.parse(held!)).toMatchObject(difference);
        expect(ids.items).toEqual([]);
      });
    });

    describe('a watch queue', () => {
      it('vanishes with its consumer', async () => {
        const queue = watchQueue('execution', 'test');
        const take = async () => {
          const ids = gathered<string>();
          const consumer = await bus.consume<ExecutionStatusMessage>(
            queue,
            { prefetch: 1, name: 'test' },
            async ({ id }) => ids.add(id),
          );
          return { ids, consumer };
        };
        const first = await take();
        await first.consumer.stop();
        await bus.publisher().publish(changed());
        const second = await take();
        const late = changed();
        await bus.publisher().publish(late);
        expect(await second.ids.until(1)).toEqual([late.body.id]);
        expect(first.ids.items).toEqual([]);
      });

      it('drops a message after the second failure', async () => {
        const tries = gathered<string>();
        const poison = changed();
        const options = { prefetch: 1, name: 'test' };
        await bus.consume<ExecutionStatusMessage>(watchQueue('execution', 'test'), options, async ({ id }) => {
          tries.add(id);
          if (id === poison.body.id) throw new Error('never');
        });
        const good = changed();
        await bus.publisher().publishAll([poison, good]);
        await tries.until((ids) => ids.includes(good.body.id) && ids.length >= 3);
        expect(tries.items.filter((id) => id === poison.body.id)).toHaveLength(2);
      });
    });

    describe('a consumer', () => {
      it('waits in stop for the running handlers, and leaves the rest in the queue', async () => {
        const [begun, release] = [gathered<string>(), deferred()];
        let ended = false;
        const options = { prefetch: 1, name: 'test' };
        const consumer = await bus.consume<ExecutionStatusMessage>('actionrunner.work', options, async ({ id }) => {
          begun.add(id);
          await release.promise;
          ended = true;
        });
        const all = [scheduled(), scheduled()];
        await publish(...all);
        await begun.until(1);
        const stopped = consumer.stop().then(() => ended);
        await turn();
        release.resolve();
        expect(await stopped).toBe(true);
        const { ids } = await takeWork();
        expect(await ids.until(1)).toEqual([all[1]!.body.id]);
      });

      it('hands back in stop what it holds', async () => {
        const held = gathered<string>();
        const consumer = await bus.consume<ExecutionStatusMessage>(
          'actionrunner.work',
          { prefetch: 2, name: 'test' },
          async ({ id }, delivery) => {
            delivery.handBack(5000);
            held.add(id);
          },
        );
        await publish(scheduled(), scheduled());
        await held.until(2);
        await consumer.stop();
        const { ids } = await takeWork();
        expect(await ids.until(2)).toHaveLength(2);
      });

      it('takes nothing while paused, goes on after resume, and lets running handlers settle meanwhile', async () => {
        const [ids, release] = [gathered<string>(), deferred()];
        const options = { prefetch: 1, name: 'test' };
        const consumer = await bus.consume<ExecutionStatusMessage>('actionrunner.work', options, async ({ id }) => {
          ids.add(id);
          await release.promise;
        });
        const all = [scheduled(), scheduled(), scheduled()];
        await publish(all[0]!);
        await ids.until(1);
        await consumer.pause();
        const other = await takeWork(await harness.connect());
        await publish(all[1]!);
        await other.ids.until(1);
        await other.consumer.stop();
        await consumer.resume();
        await publish(all[2]!);
        expect(await ids.until(2)).toEqual([all[0]!.body.id, all[2]!.body.id]);
        release.resolve();
      });
    });

    describe('a lost connection', () => {
      it('redelivers what was not acknowledged', async () => {
        const deliveries = gathered<boolean>();
        const release = deferred();
        await bus.consume('actionrunner.work', { prefetch: 1, name: 'test' }, async (_, { redelivered }) => {
          deliveries.add(redelivered);
          if (!redelivered) await release.promise;
        });
        await publish(scheduled());
        await deliveries.until(1);
        harness.dropConnections();
        expect(await deliveries.until(2)).toEqual([false, true]);
        // The first handler ends late: its acknowledgement belongs to a connection that is gone, and must not hurt.
        release.resolve();
        await publish(scheduled());
        expect(await deliveries.until(3)).toEqual([false, true, false]);
      });

      it('ends neither publishers nor consumers of both kinds', async () => {
        const work = await takeWork();
        const watched = gathered<string>();
        const options = { prefetch: 1, name: 'test' };
        await bus.consume<ExecutionStatusMessage>(watchQueue('execution', 'test'), options, async ({ id }) =>
          watched.add(id),
        );
        harness.dropConnections();
        const message = scheduled();
        await publish(message);
        await work.ids.until((ids) => ids.includes(message.body.id));
        await untilReady(bus);
        const change = changed();
        await bus.publisher().publish(change);
        expect(await watched.until(1)).toEqual([change.body.id]);
      });
    });

    describe('publishing', () => {
      it('refuses what is no pointer any more', async () => {
        const { body, ...where } = scheduled();
        const fat = { ...where, body: { ...body, extra: 'x'.repeat(4096) } };
        await expect(bus.publisher().publish(fat)).rejects.toMatchObject({ code: 'messaging.too-large' });
      });

      it('takes announcements of up to 256 kB', async () => {
        const sizes = gathered<number>();
        const options = { prefetch: 1, name: 'test' };
        await bus.consume<AnnouncementMessage>(watchQueue('announcement', 'test'), options, async ({ payload }) =>
          sizes.add(String(payload).length),
        );
        await bus.publisher().publish(announcement({ route: 'big', payload: 'x'.repeat(250 * 1024) }));
        expect(await sizes.until(1)).toEqual([250 * 1024]);
        const bigger = announcement({ route: 'big', payload: 'x'.repeat(256 * 1024) });
        await expect(bus.publisher().publish(bigger)).rejects.toMatchObject({ code: 'messaging.too-large' });
      });

      it('refuses what its schema does not allow', async () => {
        const message = executionStatus({ id: '', ref: 'core.local', status: 'scheduled', revision: 1 });
        await expect(bus.publisher().publish(message)).rejects.toMatchObject({ code: 'messaging.invalid-message' });
      });

      it('is refused after close', async () => {
        await untilReady(bus);
        await bus.close();
        expect(bus.ready()).toBe(false);
        await expect(publish(scheduled())).rejects.toMatchObject({ code: 'messaging.closed' });
      });
    });
  });
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

async function untilReady(bus: Bus): Promise<void> {
  while (!bus.ready()) await turn();
}

const routed = (route: string) => announcement({ route, payload: null });

const scheduled = (pool?: string) =>
  executionStatus({
    id: newId(),
    ref: 'core.local',
    status: 'scheduled',
    revision: 1,
    ...(pool === undefined ? {} : { pool }),
  });

const changed = () =>
  executionChange({
    change: 'update',
    id: newId(),
    liveaction_id: newId(),
    ref: 'core.local',
    status: 'running',
    revision: 2,
    trace: null,
  });

const executionChangeBody = () => changed().body;
