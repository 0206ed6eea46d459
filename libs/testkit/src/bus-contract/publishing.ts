import { newId } from '@switchyard/base';
import {
  announcement,
  controlQueue,
  executionStatus,
  poolQueue,
  releasePermits,
  runnerControl,
  watchQueue,
} from '@switchyard/messaging';
import { gathered } from '../gathered';
import { routed, scheduled } from './subject';
import { type BusSubject, untilReady } from './subject';

export function publishingContract(subject: BusSubject): void {
  const { publish } = subject;
  describe('publishing', () => {
    it('rejects a message that is too large for a pointer', async () => {
      const { body, ...where } = scheduled();
      const fat = { ...where, body: { ...body, extra: 'x'.repeat(4096) } };
      await expect(subject.bus.publisher().publish(fat)).rejects.toMatchObject({ code: 'messaging.too-large' });
    });

    it('accepts announcements of up to 256 kB', async () => {
      const sizes = gathered<number>();
      const options = { prefetch: 1, name: 'test' };
      await subject.bus.consume(watchQueue('announcement', 'test'), options, async ({ payload }) =>
        sizes.add(String(payload).length),
      );
      await subject.bus.publisher().publish(announcement({ route: 'big', payload: 'x'.repeat(250 * 1024) }));
      expect(await sizes.until(1)).toEqual([250 * 1024]);
      const bigger = announcement({ route: 'big', payload: 'x'.repeat(256 * 1024) });
      await expect(subject.bus.publisher().publish(bigger)).rejects.toMatchObject({ code: 'messaging.too-large' });
    });

    it('rejects a message that does not match its schema', async () => {
      const message = executionStatus({ id: '', ref: 'core.local', status: 'scheduled', revision: 1 });
      await expect(subject.bus.publisher().publish(message)).rejects.toMatchObject({
        code: 'messaging.invalid-message',
      });
    });

    it('rejects wrong messages that no queue receives, and accepts others', async () => {
      const publisher = subject.bus.publisher();
      const big = announcement({ route: 'big', payload: 'x'.repeat(256 * 1024) });
      await expect(publisher.publish(big)).rejects.toMatchObject({ code: 'messaging.too-large' });
      const running = { ref: 'core.local', status: 'running', revision: 1 } as const;
      const wrong = executionStatus({ id: '', ...running });
      await expect(publisher.publish(wrong)).rejects.toMatchObject({ code: 'messaging.invalid-message' });
      await publisher.publish(executionStatus({ id: newId(), ...running }));
    });

    it('fails after close', async () => {
      await untilReady(subject.bus);
      await subject.bus.close();
      expect(subject.bus.ready()).toBe(false);
      await expect(publish(scheduled())).rejects.toMatchObject({ code: 'messaging.closed' });
    });
  });
}

export function routingContract(subject: BusSubject): void {
  const { publish, takeWork } = subject;
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
    ])('delivers to a queue bound with %s the keys %s', async (pattern, expected) => {
      const routes = gathered<string>();
      const queue = watchQueue('announcement', 'test', pattern, 'the.end');
      await subject.bus.consume(queue, { prefetch: 10, name: 'test' }, async ({ route }) => routes.add(route));
      await subject.bus.publisher().publishAll(['a', 'a.b', 'a.b.c', 'b', 'b.c', 'the.end'].map(routed));
      await routes.until((all) => all.includes('the.end'));
      expect(routes.items.slice(0, -1).join(' ')).toBe(expected);
    });

    it('delivers a message once even if several patterns match', async () => {
      const routes = gathered<string>();
      const queue = watchQueue('announcement', 'test', 'a.*', '#', 'a.#');
      await subject.bus.consume(queue, { prefetch: 10, name: 'test' }, async ({ route }) => routes.add(route));
      await subject.bus.publisher().publishAll(['a.b', 'b'].map(routed));
      await routes.until((all) => all.includes('b'));
      expect(routes.items).toEqual(['a.b', 'b']);
    });

    it('confirms a message that no queue receives', async () => {
      await expect(subject.bus.publisher().publish(routed('nobody'))).resolves.toBeUndefined();
    });

    it('delivers to a pool only its own scheduled executions', async () => {
      const pooled = gathered<string>();
      await subject.bus.consume(poolQueue('gpu'), { prefetch: 1, name: 'test' }, async ({ id }) => pooled.add(id));
      const { ids } = await takeWork();
      const [common, special] = [scheduled(), scheduled('gpu')];
      await publish(common, special);
      expect([await pooled.until(1), await ids.until(1)]).toEqual([[special.body.id], [common.body.id]]);
    });

    it('delivers a control request only to the named runner', async () => {
      const seen = gathered<string>();
      for (const instance of ['one', 'two']) {
        await subject.bus.consume(controlQueue(instance), { prefetch: 1, name: 'test' }, async ({ verb }) =>
          seen.add(`${instance} ${verb}`),
        );
      }
      const request = { id: newId(), claim: 1 };
      await subject.bus.publisher().publish(runnerControl({ instance: 'two', verb: 'cancel', ...request }));
      await subject.bus.publisher().publish(runnerControl({ instance: 'one', verb: 'pause', ...request }));
      await seen.until(2);
      expect([...seen.items].sort()).toEqual(['one pause', 'two cancel']);
    });

    it('delivers a message for one process to every queue with its key', async () => {
      const seen = gathered<string>();
      for (const name of ['first', 'second']) {
        const queue = watchQueue('scheduler.permits', name, 'one');
        await subject.bus.consume(queue, { prefetch: 1, name: 'test' }, async ({ count }) => seen.add(`${name} ${count}`)); // oxfmt-ignore
      }
      await subject.bus
        .publisher()
        .publish(releasePermits({ requester: 'two', pool: 'default', count: 1, valid_ms: 1 }));
      await subject.bus
        .publisher()
        .publish(releasePermits({ requester: 'one', pool: 'default', count: 2, valid_ms: 1 }));
      await seen.until(2);
      expect([...seen.items].sort()).toEqual(['first 2', 'second 2']);
    });
  });
}
