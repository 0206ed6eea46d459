import { hashSync } from 'bcryptjs';
import { deferred } from '@switchyard/base';
import { HASH_THREADS, hashThreads } from '../../src/passwords/hash-threads';
import { loginQueue } from '../../src/passwords/login-queue';

describe('queued logins', () => {
  it('take turns by address, so that a flood from one does not delay the others', async () => {
    const queue = loginQueue();
    const go = deferred();
    const order: string[] = [];
    const login = (address: string, name: string) =>
      queue.run(address, async () => {
        await go.promise;
        order.push(name);
      });
    const flood = Array.from({ length: 200 }, (_, index) => login('10.0.0.1', `flood ${index}`));
    const outcomes = Promise.allSettled(flood);
    const other = login('10.0.0.2', 'other');
    go.resolve();
    await other;
    const settled = await outcomes;
    const taken = 32 + HASH_THREADS + 1;
    expect(order.indexOf('other')).toBeLessThanOrEqual(HASH_THREADS + 3);
    expect(order).toHaveLength(taken + 1);
    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(200 - taken);
    await expect(flood.at(-1)).rejects.toMatchObject({ code: 'auth.busy' });
  });

  it('continue after a failed check', async () => {
    const queue = loginQueue();
    const broken = () => Promise.reject(new Error('no answer'));
    const failures = [1, 2, 3].map(() => queue.run('10.0.0.1', broken));
    await Promise.all(failures.map((failure) => expect(failure).rejects.toThrow('no answer')));
    expect(await queue.run('10.0.0.1', () => Promise.resolve('in'))).toBe('in');
  });
});

it('hash threads answer each check with its own result', async () => {
  const threads = hashThreads(3);
  const hash = hashSync('right', 4);
  const passwords = Array.from({ length: 12 }, (_, index) => (index % 3 === 0 ? 'right' : `wrong ${index}`));
  const answers = await Promise.all(passwords.map((password) => threads.matches('bcrypt', password, hash)));
  await threads.close();
  expect(answers).toEqual(passwords.map((password) => password === 'right'));
});
