import { deferred } from '@switchyard/base';
import { watchQueue, type ExecutionStatusMessage } from '@switchyard/messaging';
import { gathered } from '../gathered';
import { scheduled, changed } from './messages';
import { untilReady, type BusSubject } from './subject';

export function lostConnectionContract(subject: BusSubject): void {
  const { publish, takeWork } = subject;
  describe('a lost connection', () => {
    it('redelivers what was not acknowledged', async () => {
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
      // The first handler ends late: its acknowledgement belongs to a connection that is gone, and must not hurt.
      release.resolve();
      await publish(scheduled());
      expect(await deliveries.until(3)).toEqual([false, true, false]);
    });

    it('ends neither publishers nor consumers of both kinds', async () => {
      const work = await takeWork();
      const watched = gathered<string>();
      const options = { prefetch: 1, name: 'test' };
      await subject.bus.consume<ExecutionStatusMessage>(watchQueue('execution', 'test'), options, async ({ id }) =>
        watched.add(id),
      );
      subject.harness.dropConnections();
      const message = scheduled();
      await publish(message);
      await work.ids.until((ids) => ids.includes(message.body.id));
      await untilReady(subject.bus);
      const change = changed();
      await subject.bus.publisher().publish(change);
      expect(await watched.until(1)).toEqual([change.body.id]);
    });
  });
}
