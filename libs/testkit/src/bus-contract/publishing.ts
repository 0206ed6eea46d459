import { announcement, executionStatus, watchQueue, type AnnouncementMessage } from '@switchyard/messaging';
import { gathered } from '../gathered';
import { scheduled } from './messages';
import { untilReady, type BusSubject } from './subject';

export function publishingContract(subject: BusSubject): void {
  const { publish } = subject;
  describe('publishing', () => {
    it('refuses what is no pointer any more', async () => {
      const { body, ...where } = scheduled();
      const fat = { ...where, body: { ...body, extra: 'x'.repeat(4096) } };
      await expect(subject.bus.publisher().publish(fat)).rejects.toMatchObject({ code: 'messaging.too-large' });
    });

    it('takes announcements of up to 256 kB', async () => {
      const sizes = gathered<number>();
      const options = { prefetch: 1, name: 'test' };
      await subject.bus.consume<AnnouncementMessage>(watchQueue('announcement', 'test'), options, async ({ payload }) =>
        sizes.add(String(payload).length),
      );
      await subject.bus.publisher().publish(announcement({ route: 'big', payload: 'x'.repeat(250 * 1024) }));
      expect(await sizes.until(1)).toEqual([250 * 1024]);
      const bigger = announcement({ route: 'big', payload: 'x'.repeat(256 * 1024) });
      await expect(subject.bus.publisher().publish(bigger)).rejects.toMatchObject({ code: 'messaging.too-large' });
    });

    it('refuses what its schema does not allow', async () => {
      const message = executionStatus({ id: '', ref: 'core.local', status: 'scheduled', revision: 1 });
      await expect(subject.bus.publisher().publish(message)).rejects.toMatchObject({
        code: 'messaging.invalid-message',
      });
    });

    it('is refused after close', async () => {
      await untilReady(subject.bus);
      await subject.bus.close();
      expect(subject.bus.ready()).toBe(false);
      await expect(publish(scheduled())).rejects.toMatchObject({ code: 'messaging.closed' });
    });
  });
}
