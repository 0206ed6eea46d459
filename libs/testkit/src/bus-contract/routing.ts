import { newId } from '@switchyard/base';
import {
  controlQueue,
  poolQueue,
  runnerControl,
  watchQueue,
  type AnnouncementMessage,
  type ExecutionStatusMessage,
  type RunnerControlMessage,
} from '@switchyard/messaging';
import { gathered } from '../gathered';
import { routed, scheduled } from './messages';
import type { BusSubject } from './subject';

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
    ])('gives a queue bound with %s the keys %s', async (pattern, expected) => {
      const routes = gathered<string>();
      const queue = watchQueue('announcement', 'test', pattern, 'the.end');
      await subject.bus.consume<AnnouncementMessage>(queue, { prefetch: 10, name: 'test' }, async ({ route }) =>
        routes.add(route),
      );
      await subject.bus.publisher().publishAll(['a', 'a.b', 'a.b.c', 'b', 'b.c', 'the.end'].map(routed));
      await routes.until((all) => all.includes('the.end'));
      expect(routes.items.slice(0, -1).join(' ')).toBe(expected);
    });

    it('delivers a message once though several patterns match', async () => {
      const routes = gathered<string>();
      const queue = watchQueue('announcement', 'test', 'a.*', '#', 'a.#');
      await subject.bus.consume<AnnouncementMessage>(queue, { prefetch: 10, name: 'test' }, async ({ route }) =>
        routes.add(route),
      );
      await subject.bus.publisher().publishAll(['a.b', 'b'].map(routed));
      await routes.until((all) => all.includes('b'));
      expect(routes.items).toEqual(['a.b', 'b']);
    });

    it('confirms a message that no queue takes', async () => {
      await expect(subject.bus.publisher().publish(routed('nobody'))).resolves.toBeUndefined();
    });

    it('gives a pool its own scheduled executions only', async () => {
      const pooled = gathered<string>();
      await subject.bus.consume<ExecutionStatusMessage>(
        poolQueue('gpu'),
        { prefetch: 1, name: 'test' },
        async ({ id }) => pooled.add(id),
      );
      const { ids } = await takeWork();
      const [common, special] = [scheduled(), scheduled('gpu')];
      await publish(common, special);
      expect([await pooled.until(1), await ids.until(1)]).toEqual([[special.body.id], [common.body.id]]);
    });

    it('gives a control request to the named runner only', async () => {
      const seen = gathered<string>();
      for (const instance of ['one', 'two']) {
        await subject.bus.consume<RunnerControlMessage>(
          controlQueue(instance),
          { prefetch: 1, name: 'test' },
          async ({ verb }) => seen.add(`${instance} ${verb}`),
        );
      }
      const request = { id: newId(), claim: 1 };
      await subject.bus.publisher().publish(runnerControl({ instance: 'two', verb: 'cancel', ...request }));
      await subject.bus.publisher().publish(runnerControl({ instance: 'one', verb: 'pause', ...request }));
      await seen.until(2);
      expect([...seen.items].sort()).toEqual(['one pause', 'two cancel']);
    });
  });
}
