import { systemClock } from '@switchyard/base';
import { createTokens, tokenHash, type IssuedToken } from '@switchyard/identity';
import { handClock } from '../hand-clock';
import { memoryStore } from '../memory-store';

const setUp = () => {
  const clock = handClock();
  const memory = memoryStore();
  return { clock, ...memory, issuer: createTokens({ store: memory.store, clock, maxTtlSeconds: 100 }) };
};

describe('tokens', () => {
  it('are 32 hexadecimal digits, of which only a hash is stored', async () => {
    const { issuer, tokens } = setUp();
    const issued = await issuer.issueToken({ user: 'ada' });
    expect(issued.token).toMatch(/^[0-9a-f]{32}$/);
    expect([...tokens.values()]).toMatchObject([{ user: 'ada', token_hash: tokenHash(issued.token) }]);
    expect(JSON.stringify([...tokens.values()])).not.toContain(issued.token);
  });

  it('create the record of their user', async () => {
    const { issuer, store } = setUp();
    await Promise.all([issuer.issueToken({ user: 'ada' }), issuer.issueToken({ user: 'ada' })]);
    expect(await store.users.count()).toBe(1);
  });

  it.each([
    [undefined, 100],
    [1, 1],
    [100, 100],
  ])('live for the requested number of seconds: %p', async (ttlSeconds, lifetime) => {
    const { issuer, clock } = setUp();
    const { token } = await issuer.issueToken({ user: 'ada', ttlSeconds });
    clock.advance(lifetime * 1000 - 1);
    expect(await issuer.isValid(token)).toBe(true);
    clock.advance(1);
    expect(await issuer.isValid(token)).toBe(false);
  });

  it.each([
    [101, 'TTL specified 101 is greater than max allowed 100.'],
    [0, '0 is less than the minimum of 1'],
    [1.5, '1.5 is less than the minimum of 1'],
  ])('are refused for a lifetime of %p', async (ttlSeconds, message) => {
    await expect(setUp().issuer.issueToken({ user: 'ada', ttlSeconds })).rejects.toThrow(message);
  });

  it('of services may exceed the maximum lifetime and carry metadata', async () => {
    const { issuer } = setUp();
    const issued = await issuer.issueToken({ user: 'ada', ttlSeconds: 1000, service: true, metadata: { run: 1 } });
    expect(issued).toMatchObject({ service: true, metadata: { run: 1 } });
  });

  it('stop working as soon as they are revoked', async () => {
    const { issuer } = setUp();
    const { token } = await issuer.issueToken({ user: 'ada' });
    expect(await issuer.isValid(token)).toBe(true);
    expect(await issuer.revoke(token)).toBe(true);
    expect(await issuer.isValid(token)).toBe(false);
    expect(await issuer.revoke(token)).toBe(false);
  });

  it('of services can be extended, those of users cannot', async () => {
    const { issuer, clock } = setUp();
    const { token } = await issuer.issueToken({ user: 'sensors', service: true, ttlSeconds: 10 });
    const { token: person } = await issuer.issueToken({ user: 'ada', ttlSeconds: 10 });
    expect([await issuer.extend(token, 20), await issuer.extend(person, 20), await issuer.extend('none', 20)]).toEqual([
      true,
      false,
      false,
    ]);
    clock.advance(15_000);
    expect([await issuer.isValid(token), await issuer.isValid(person)]).toEqual([true, false]);
  });

  it('are listed by user in pages until they expire, with their origin', async () => {
    const { issuer, clock } = setUp();
    const from = { address: '192.0.2.7', client: 'x'.repeat(300) };
    const { id } = await issuer.issueToken({ user: 'ada', ttlSeconds: 10, ...from });
    await issuer.issueToken({ user: 'ada' });
    await issuer.issueToken({ user: 'bob' });
    const { records, total } = await issuer.ofUser('ada', { offset: 0, limit: 1 });
    const kept = { created_at: clock.nowMicros(), address: '192.0.2.7', client: 'x'.repeat(200) };
    expect([records, total]).toMatchObject([[{ _id: id, ...kept }], 2]);
    clock.advance(10_000);
    expect((await issuer.ofUser('ada', { offset: 0 })).total).toBe(1);
  });

  it('stop working when they are revoked by their record or with all of their user', async () => {
    const { issuer } = setUp();
    const issued: IssuedToken[] = [];
    for (const user of ['ada', 'ada', 'ada', 'bob']) issued.push(await issuer.issueToken({ user }));
    const valid = () => Promise.all(issued.map(({ token }) => issuer.isValid(token)));
    expect(await valid()).toEqual([true, true, true, true]);
    const record = await issuer.byId(issued[0]!.id);
    expect([await issuer.revokeRecord(record!), await issuer.revokeRecord(record!)]).toEqual([true, false]);
    expect(await valid()).toEqual([false, true, true, true]);
    expect(await issuer.revokeAll('ada')).toBe(2);
    expect(await valid()).toEqual([false, false, false, true]);
  });

  it('are cached between requests', async () => {
    const { issuer, clock, reads } = setUp();
    const { token } = await issuer.issueToken({ user: 'ada' });
    for (let i = 0; i < 5; i += 1) await issuer.find(token);
    expect(reads.tokens).toBe(1);
    clock.advance(2000);
    await issuer.find(token);
    expect(reads.tokens).toBe(2);
  });

  it('revoked by another process stop working within two seconds', async () => {
    const { issuer, clock, store, tokens } = setUp();
    const { token } = await issuer.issueToken({ user: 'ada' });
    await issuer.find(token);
    for (const { _id } of tokens.values()) await store.tokens.remove(_id);
    clock.advance(2000);
    expect(await issuer.isValid(token)).toBe(false);
  });
});

describe('the token of a run', () => {
  const setUpRuns = () => {
    const memory = memoryStore();
    const newTokens = () => createTokens({ store: memory.store, clock: systemClock(), maxTtlSeconds: 100 });
    return { ...memory, runner: newTokens(), other: newTokens() };
  };
  const ofAda = { user: 'ada', role: 'operator', ttlSeconds: 1000, metadata: { run: 1 } };

  it('works here at once, and is stored later', async () => {
    const { runner, tokens } = setUpRuns();
    const issued = await runner.issueForRun(ofAda);
    expect(await runner.find(issued.token)).toMatchObject({
      user: 'ada',
      role: 'operator',
      service: true,
      metadata: { run: 1 },
    });
    expect(tokens.size).toBe(0);
    await issued.store();
    await issued.store();
    expect([...tokens.values()]).toMatchObject([{ user: 'ada', token_hash: tokenHash(issued.token) }]);
    expect(await runner.isValid(issued.token)).toBe(true);
    await issued.revoke();
    expect([tokens.size, await runner.isValid(issued.token)]).toEqual([0, false]);
  });

  it('is waited for in other processes', async () => {
    const { runner, other } = setUpRuns();
    const issued = await runner.issueForRun(ofAda);
    const found = other.isValid(issued.token);
    setTimeout(() => void issued.store(), 50);
    expect(await found).toBe(true);
  });

  it('is never stored after it was revoked', async () => {
    const { runner, tokens } = setUpRuns();
    const [first, second] = [await runner.issueForRun(ofAda), await runner.issueForRun(ofAda)];
    await first.revoke();
    await first.store();
    const storing = second.store();
    await Promise.all([second.revoke(), storing]);
    expect(tokens.size).toBe(0);
  });

  it('can be revoked by its text or with all of its user before it is stored', async () => {
    const { runner, tokens } = setUpRuns();
    const [first, second] = [await runner.issueForRun(ofAda), await runner.issueForRun(ofAda)];
    expect([await runner.revoke(first.token), await runner.revokeAll('ada')]).toEqual([true, 1]);
    for (const each of [first, second]) await each.store();
    const third = await runner.issueForRun(ofAda);
    const storing = third.store();
    expect(await runner.revoke(third.token)).toBe(true);
    await storing;
    expect(tokens.size).toBe(0);
  });

  it('does not stay cached if it was revoked while it was being stored', async () => {
    const { runner, store, tokens } = setUpRuns();
    const { token, store: keep } = await runner.issueForRun(ofAda);
    const { removeAll } = store.tokens;
    Object.assign(store.tokens, {
      removeAll: async (ids: readonly string[]) => {
        // A request with the token that arrives just before its record is removed.
        expect(await runner.isValid(token)).toBe(true);
        return removeAll(ids);
      },
    });
    const storing = keep();
    expect(await runner.revoke(token)).toBe(true);
    await storing;
    expect([tokens.size, await runner.isValid(token)]).toEqual([0, false]);
  });
});
