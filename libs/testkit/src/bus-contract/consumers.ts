import { deferred } from '@switchyard/base';
import { watchQueue } from '@switchyard/messaging';
import { gathered } from '../gathered';
import { changed, scheduled } from './subject';
import { type BusSubject, turn, untilReady } from './subject';

export function consumersContract(subject: BusSubject): void {
  const { publish, takeWork } = subject;
  describe('a consumer', () => {
    it('stops after its running handlers end, and leaves other messages in the queue', async () => {
      const [begun, release] = [gathered<string>(), deferred()];
      let ended = false;
      const options = { prefetch: 1, name: 'test' };
      const consumer = await subject.bus.consume('actionrunner.work', options, async ({ id }) => {
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

    it('returns the messages that it holds when it stops', async () => {
      const held = gathered<string>();
      const consumer = await subject.bus.consume(
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

    it('takes no messages while paused, lets running handlers finish, and continues after resume', async () => {
      const [ids, release] = [gathered<string>(), deferred()];
      const options = { prefetch: 1, name: 'test' };
      const consumer = await subject.bus.consume('actionrunner.work', options, async ({ id }) => {
        ids.add(id);
        await release.promise;
      });
      const all = [scheduled(), scheduled(), scheduled()];
      await publish(all[0]!);
      await ids.until(1);
      await consumer.pause();
      const other = await takeWork(await subject.harness.connect());
      await publish(all[1]!);
      await other.ids.until(1);
      await other.consumer.stop();
      await consumer.resume();
      await publish(all[2]!);
      expect(await ids.until(2)).toEqual([all[0]!.body.id, all[2]!.body.id]);
      release.resolve();
    });
  });
}

export function lostConnectionContract(subject: BusSubject): void {
  const { publish, takeWork } = subject;
  describe('a lost connection', () => {
    it('redelivers unacknowledged messages', async () => {
      const deliveries = gathered<boolean>();
      const release = deferred();
      await subject.bus.consume('actionrunner.work', { prefetch: 1, name: 'test' }, async (_, { redelivered }) => {
        deliveries.add(redelivered);
        if (!redelivered) await release.promise;
      });
      await publish(scheduled());
      await deliveries.until(1);
      subject.harness.dropConnections();
      expect(await deliveries.until(2)).toEqual([false, true]);
      // The first handler ends late: its acknowledgement belongs to a lost connection and must do no harm.
      release.resolve();
      await publish(scheduled());
      expect(await deliveries.until(3)).toEqual([false, true, false]);
    });

    it('stops neither publishers nor consumers of both kinds', async () => {
      const work = await takeWork();
      const watched = gathered<string>();
      const options = { prefetch: 1, name: 'test' };
      await subject.bus.consume(watchQueue('execution', 'test'), options, async ({ id }) => watched.add(id));
      subject.harness.dropConnections();
      const message = scheduled();
      await publish(message);
      await work.ids.until((ids) => ids.includes(message.body.id));
      await untilReady(subject.bus);
      const change = changed();
      await subject.bus.publisher().publish(change);
      expect(await watched.until(1)).toEqual([change.body.id]);
    });

    it('is reported when a new one has replaced it, and not before', async () => {
      const calls = gathered<boolean>();
      const bus = await subject.harness.connect();
      bus.onReconnect(() => calls.add(true));
      await bus.publisher().publish(scheduled());
      expect(calls.items).toEqual([]);
      subject.harness.dropConnections();
      expect(await calls.until(1)).toEqual([true]);
      await bus.publisher().publish(scheduled());
      expect(calls.items).toEqual([true]);
    });
  });
}
