import { deferred } from '@switchyard/base';
import { DELIVERY_LIMIT, prefixed, watchQueue } from '@switchyard/messaging';
import { gathered } from '../gathered';
import { changed, scheduled } from './subject';
import type { BusSubject } from './subject';

export function workQueueContract(subject: BusSubject): void {
  const { publish, takeWork, rawChannel, rawPublish, deadLetters } = subject;
  describe('a work queue', () => {
    it('keeps messages in order until a consumer takes them', async () => {
      const all = Array.from({ length: 50 }, () => scheduled());
      await publish(...all);
      const { ids } = await takeWork(subject.bus, 1);
      expect(await ids.until(50)).toEqual(all.map(({ body }) => body.id));
    });

    it('delivers to a consumer at most its prefetch at a time', async () => {
      const busy = gathered<string>();
      const release = deferred();
      const options = { prefetch: 3, name: 'busy' };
      await subject.bus.consume('actionrunner.work', options, async ({ id }) => {
        busy.add(id);
        await release.promise;
      });
      await publish(...Array.from({ length: 10 }, () => scheduled()));
      await busy.until(3);
      const { ids } = await takeWork(await subject.harness.connect());
      await ids.until(7);
      expect(busy.items).toHaveLength(3);
      release.resolve();
    });

    it('is shared by two consumers that do not wait for each other', async () => {
      const begun = gathered<string>();
      const ended = gathered<string>();
      for (const who of ['one', 'two']) {
        const other = await subject.harness.connect();
        let own = 0;
        await other.consume('actionrunner.work', { prefetch: 1, name: who }, async () => {
          own += 1;
          begun.add(who);
          // Each round continues when both have begun it.
          await begun.until(2 * own);
          ended.add(who);
        });
      }
      await publish(...Array.from({ length: 20 }, () => scheduled()));
      await ended.until(20);
      expect(ended.items.filter((who) => who === 'one')).toHaveLength(10);
    });

    it('removes a message that was handled', async () => {
      const first = await takeWork();
      await publish(scheduled());
      await first.ids.until(1);
      await first.consumer.stop();
      const second = await takeWork();
      const last = scheduled();
      await publish(last);
      expect(await second.ids.until(1)).toEqual([last.body.id]);
    });

    it('redelivers a returned message and marks it as redelivered', async () => {
      const redelivered = gathered<boolean>();
      await subject.bus.consume('actionrunner.work', { prefetch: 1, name: 'test' }, async (_, delivery) => {
        redelivered.add(delivery.redelivered);
        if (!delivery.redelivered) delivery.handBack();
        expect(delivery.acked).toBe(false);
      });
      await publish(scheduled());
      expect(await redelivered.until(2)).toEqual([false, true]);
    });

    it('delivers other messages while one is delayed', async () => {
      const [slow, quick] = [scheduled(), scheduled()];
      const order = gathered<string>();
      await subject.bus.consume('actionrunner.work', { prefetch: 2, name: 'test' }, async (m, delivery) => {
        if (m.id === slow.body.id && !delivery.redelivered) delivery.handBack(50);
        else order.add(m.id);
      });
      await publish(slow, quick);
      expect(await order.until(2)).toEqual([quick.body.id, slow.body.id]);
    });

    it('redelivers and logs a message whose handler failed', async () => {
      const tries = gathered<boolean>();
      await subject.bus.consume('actionrunner.work', { prefetch: 1, name: 'test' }, async (_, { redelivered }) => {
        tries.add(redelivered);
        if (!redelivered) throw new Error('no luck');
      });
      await publish(scheduled());
      expect(await tries.until(2)).toEqual([false, true]);
      expect(subject.harness.log.items.join()).toContain('no luck');
    });

    it('does not redeliver a message that was acknowledged before its handler failed', async () => {
      const ids = gathered<string>();
      await subject.bus.consume('actionrunner.work', { prefetch: 1, name: 'test' }, async ({ id }, delivery) => {
        ids.add(id);
        delivery.ack();
        throw new Error('too late');
      });
      const all = [scheduled(), scheduled()];
      await publish(...all);
      expect(await ids.until(2)).toEqual(all.map(({ body }) => body.id));
    });

    it('dead-letters a message that is returned too often', async () => {
      const dead = await deadLetters();
      let deliveries = 0;
      await subject.bus.consume('actionrunner.work', { prefetch: 1, name: 'test' }, async () => {
        deliveries += 1;
        throw new Error('never');
      });
      await publish(scheduled());
      expect(await dead.until(1)).toEqual([prefixed(subject.harness.prefix, 'actionrunner.work')]);
      expect(deliveries).toBe(DELIVERY_LIMIT + 1);
    });

    it('dead-letters and logs a malformed message', async () => {
      const dead = await deadLetters();
      const { ids } = await takeWork();
      const good = scheduled();
      const wrong = ['no JSON', '[]', JSON.stringify({ ...good.body, id: 5 }), JSON.stringify(changed().body)];
      for (const body of wrong) await rawPublish(body);
      await publish(good);
      expect(await dead.until(wrong.length)).toHaveLength(wrong.length);
      expect(await ids.until(1)).toEqual([good.body.id]);
      expect(subject.harness.log.items.filter((line) => line.includes('malformed'))).toHaveLength(wrong.length);
    });

    it.each([
      ['version', { v: 99 }],
      ['type', { type: 'execution-status-of-tomorrow' }],
    ])('keeps a message of an unknown %s for another program', async (_, difference) => {
      const { ids, consumer } = await takeWork();
      await rawPublish(JSON.stringify({ ...scheduled().body, ...difference }));
      await subject.harness.log.until((lines) => lines.some((line) => line.includes('unsupported version')));
      await consumer.stop();
      const channel = await rawChannel();
      const seen = gathered<string>();
      await channel.consume(prefixed(subject.harness.prefix, 'actionrunner.work'), (raw) =>
        seen.add(raw!.content.toString()),
      );
      const [held] = await seen.until(1);
      expect(JSON.parse(held!)).toMatchObject(difference);
      expect(ids.items).toEqual([]);
    });
  });
}

export function watchQueueContract(subject: BusSubject): void {
  describe('a watch queue', () => {
    it('is deleted with its consumer', async () => {
      const queue = watchQueue('execution', 'test');
      const take = async () => {
        const ids = gathered<string>();
        const consumer = await subject.bus.consume(queue, { prefetch: 1, name: 'test' }, async ({ id }) => ids.add(id));
        return { ids, consumer };
      };
      const first = await take();
      await first.consumer.stop();
      await subject.bus.publisher().publish(changed());
      const second = await take();
      const late = changed();
      await subject.bus.publisher().publish(late);
      expect(await second.ids.until(1)).toEqual([late.body.id]);
      expect(first.ids.items).toEqual([]);
    });

    it('drops a message after the second failure', async () => {
      const tries = gathered<string>();
      const poison = changed();
      const options = { prefetch: 1, name: 'test' };
      await subject.bus.consume(watchQueue('execution', 'test'), options, async ({ id }) => {
        tries.add(id);
        if (id === poison.body.id) throw new Error('never');
      });
      const good = changed();
      await subject.bus.publisher().publishAll([poison, good]);
      await tries.until((ids) => ids.includes(good.body.id) && ids.length >= 3);
      expect(tries.items.filter((id) => id === poison.body.id)).toHaveLength(2);
    });
  });
}
