import { handClock } from '@switchyard/testkit/platform';
import { confirmedOwner } from '../src/ownership';

describe('Before it stores an event, a container', () => {
  const site = () => {
    const clock = handClock();
    const asked: string[] = [];
    const answers = { ours: true };
    const states = {
      change: async (ref: string, instance: string) => {
        asked.push(`${ref} of ${instance}`);
        return answers.ours;
      },
    };
    return { clock, asked, answers, confirm: confirmedOwner({ states, clock, freshMs: 100 }, 'tests.A', 'me') };
  };

  it('checks regularly whether it still owns the sensor', async () => {
    const { clock, asked, confirm } = site();
    await confirm();
    expect(asked).toEqual([]);
    clock.advance(100);
    await confirm();
    await confirm();
    expect(asked).toEqual(['tests.A of me']);
  });

  it('finds out at once if it no longer does', async () => {
    const { clock, answers, confirm } = site();
    answers.ours = false;
    clock.advance(100);
    await expect(confirm()).rejects.toThrow('"tests.A" was taken over');
    await expect(confirm()).rejects.toThrow('"tests.A" was taken over');
  });
});
