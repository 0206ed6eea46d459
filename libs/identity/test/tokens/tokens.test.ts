import { createTokens, tokenHash } from '@switchyard/identity';
import { handClock } from '../hand-clock';
import { memoryStore } from '../memory-store';

const setUp = () => {
  const clock = handClock();
  const memory = memoryStore();
  return { clock, ...memory, desk: createTokens({ store: memory.store, clock, maxTtlSeconds: 100 }) };
};

describe('tokens', () => {
  it('are 32 hexadecimal digits, stored as a hash only', async () => {
    const { desk, tokens } = setUp();
    const issued = await desk.issueToken({ user: 'ada' });
    expect(issued.token).toMatch(/^[0-9a-f]{32}$/);
    expect([...tokens.values()]).toMatchObject([{ user: 'ada', token_hash: tokenHash(issued.token) }]);
    expect(JSON.stringify([...tokens.values()])).not.toContain(issued.token);
  });

  it('bring a record of their user into being', async () => {
    const { desk, store } = setUp();
    await Promise.all([desk.issueToken({ user: 'ada' }), desk.issueToken({ user: 'ada' })]);
    expect(await store.users.count()).toBe(1);
  });

  it.each([
    [undefined, 100],
    [1, 1],
    [100, 100],
  ])('live for the seconds asked for: %p', async (ttlSeconds, lifetime) => {
    const { desk, clock } = setUp();
    const { token } = await desk.issueToken({ user: 'ada', ttlSeconds });
    clock.advance(lifetime * 1000 - 1);
    expect(await desk.isValid(token)).toBe(true);
    clock.advance(1);
    expect(await desk.isValid(token)).toBe(false);
  });

  it.each([
    [101, 'TTL specified 101 is greater than max allowed 100.'],
    [0, '0 is less than the minimum of 1'],
    [1.5, '1.5 is less than the minimum of 1'],
  ])('are refused for a lifetime of %p', async (ttlSeconds, message) => {
    await expect(setUp().desk.issueToken({ user: 'ada', ttlSeconds })).rejects.toThrow(message);
  });

  it('of services may live longer, and carry metadata', async () => {
    const { desk } = setUp();
    const issued = await desk.issueToken({ user: 'ada', ttlSeconds: 1000, service: true, metadata: { run: 1 } });
    expect(issued).toMatchObject({ service: true, metadata: { run: 1 } });
  });

  it('stop working at once when they are revoked', async () => {
    const { desk } = setUp();
    const { token } = await desk.issueToken({ user: 'ada' });
    expect(await desk.isValid(token)).toBe(true);
    expect(await desk.revoke(token)).toBe(true);
    expect(await desk.isValid(token)).toBe(false);
    expect(await desk.revoke(token)).toBe(false);
  });

  it('of services live longer when that is asked for, those of people do not', async () => {
    const { desk, clock } = setUp();
    const { token } = await desk.issueToken({ user: 'sensors', service: true, ttlSeconds: 10 });
    const { token: person } = await desk.issueToken({ user: 'ada', ttlSeconds: 10 });
    expect([await desk.extend(token, 20), await desk.extend(person, 20), await desk.extend('none', 20)]).toEqual([
      true,
      false,
      false,
    ]);
    clock.advance(15_000);
    expect([await desk.isValid(token), await desk.isValid(person)]).toEqual([true, false]);
  });

  it('are looked up once in a while, not for each request', async () => {
    const { desk, clock, reads } = setUp();
    const { token } = await desk.issueToken({ user: 'ada' });
    for (let i = 0; i < 5; i += 1) await desk.find(token);
    expect(reads.tokens).toBe(1);
    clock.advance(2000);
    await desk.find(token);
    expect(reads.tokens).toBe(2);
  });

  it('that another process revoked stop working within two seconds', async () => {
    const { desk, clock, store, tokens } = setUp();
    const { token } = await desk.issueToken({ user: 'ada' });
    await desk.find(token);
    for (const { _id } of tokens.values()) await store.tokens.remove(_id);
    clock.advance(2000);
    expect(await desk.isValid(token)).toBe(false);
  });
});
