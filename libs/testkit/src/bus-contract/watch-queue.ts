import { watchQueue, type ExecutionStatusMessage } from '@switchyard/messaging';
import { gathered } from '../gathered';
import { changed } from './messages';
import type { BusSubject } from './subject';

export function watchQueueContract(subject: BusSubject): void {
  describe('a watch queue', () => {
    it('vanishes with its consumer', async () => {
      const queue = watchQueue('execution', 'test');
      const take = async () => {
        const ids = gathered<string>();
        const consumer = await subject.bus.consume<ExecutionStatusMessage>(
          queue,
          { prefetch: 1, name: 'test' },
          async ({ id }) => ids.add(id),
        );
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
      await subject.bus.consume<ExecutionStatusMessage>(watchQueue('execution', 'test'), options, async ({ id }) => {
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
