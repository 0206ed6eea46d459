import { deferred } from '@switchyard/base';
import { type ExecutionStatusMessage } from '@switchyard/messaging';
import { gathered } from '../gathered';
import { scheduled } from './messages';
import { turn, type BusSubject } from './subject';

export function consumersContract(subject: BusSubject): void {
  const { publish, takeWork } = subject;
  describe('a consumer', () => {
    it('waits in stop for the running handlers, and leaves the rest in the queue', async () => {
      const [begun, release] = [gathered<string>(), deferred()];
      let ended = false;
      const options = { prefetch: 1, name: 'test' };
      const consumer = await subject.bus.consume<ExecutionStatusMessage>(
        'actionrunner.work',
        options,
        async ({ id }) => {
          begun.add(id);
          await release.promise;
          ended = true;
        },
      );
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
      const consumer = await subject.bus.consume<ExecutionStatusMessage>(
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
      const consumer = await subject.bus.consume<ExecutionStatusMessage>(
        'actionrunner.work',
        options,
        async ({ id }) => {
          ids.add(id);
          await release.promise;
        },
      );
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
