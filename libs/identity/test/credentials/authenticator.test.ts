import {
  anonymousAuthenticator,
  createIdentities,
  type CredentialSources,
  type Identities,
} from '@switchyard/identity';
import { handClock } from '../hand-clock';
import { memoryStore } from '../memory-store';

interface Given {
  header?: Record<string, string>;
  query?: Record<string, string>;
  cookie?: Record<string, string>;
  address?: string;
}

const sources = ({ header = {}, query = {}, cookie = {}, address = '192.0.2.1' }: Given): CredentialSources => ({
  header: (name) => header[name],
  query: (name) => query[name],
  cookie: (name) => cookie[name],
  address: () => address,
});

async function setUp() {
  const clock = handClock();
  const memory = memoryStore();
  const config = { auth: { enable: true, token_ttl: 100 }, system_user: { user: 'stanley' } } as never;
  const identities: Identities = createIdentities({ store: memory.store, clock, config });
  const { token } = await identities.tokens.issueToken({ user: 'ada' });
  const { key, record } = await identities.apiKeys.create({ user: 'bob' });
  const ask = (given: Given) => identities.authenticate(sources(given));
  return { ...memory, clock, identities, token, key: key as string, record, ask };
}

describe('the requester', () => {
  it.each([
    ['token in a header', 'x-auth-token', 'header', 'ada', 'token', true],
    ['token in the query', 'x-auth-token', 'query', 'ada', 'token', true],
    ['token in a cookie', 'auth-token', 'cookie', 'ada', 'token', false],
    ['key in a header', 'svc-api-key', 'header', 'bob', 'api key', false],
    ['key in the query', 'svc-api-key', 'query', 'bob', 'api key', false],
    ["key in the reference's header", 'st2-api-key', 'header', 'bob', 'api key', false],
    ["key in the reference's query", 'st2-api-key', 'query', 'bob', 'api key', false],
  ] as const)('is identified by a %s', async (_, name, place, user, method, setsCookie) => {
    const { ask, token, key } = await setUp();
    const { requester, cookie } = await ask({ [place]: { [name]: method === 'token' ? token : key } });
    expect(requester).toMatchObject({ user, method, location: place === 'query' ? 'query' : 'header', isAdmin: true });
    expect(cookie !== undefined).toBe(setsCookie);
  });

  it('gets a cookie for the remaining lifetime of the token', async () => {
    const { ask, token, clock } = await setUp();
    clock.advance(40_500);
    expect((await ask({ header: { 'x-auth-token': token } })).cookie).toEqual({ token, maxAgeSeconds: 59 });
  });

  it('is taken from the header when the query has another token', async () => {
    const { ask, token, identities } = await setUp();
    const other = await identities.tokens.issueToken({ user: 'eve' });
    const given = { header: { 'x-auth-token': token }, query: { 'x-auth-token': other.token } };
    expect((await ask(given)).requester.user).toBe('ada');
  });

  it.each(['header', 'query'] as const)('is refused with both a token and a key (%s)', async (place) => {
    const { ask, token, key } = await setUp();
    const given = { header: { 'x-auth-token': token }, [place]: { 'x-auth-token': token, 'st2-api-key': key } };
    await expect(ask(given)).rejects.toMatchObject({ status: 400 });
  });

  it('may send a cookie besides a key', async () => {
    const { ask, token, key } = await setUp();
    const given = { header: { 'svc-api-key': key }, cookie: { 'auth-token': token } };
    expect((await ask(given)).requester.user).toBe('bob');
  });

  it.each([
    ['nothing', {}, 'Unauthorized - One of Token or API key required.'],
    ['an empty token', { header: { 'x-auth-token': '' } }, 'Unauthorized - One of Token or API key required.'],
    ['an unknown token', { header: { 'x-auth-token': 'nope' } }, 'Unauthorized'],
    ['an unknown key', { query: { 'st2-api-key': 'nope' } }, 'Unauthorized - ApiKey not found.'],
  ])('is refused with %s', async (_, given, message) => {
    const { ask } = await setUp();
    await expect(ask(given)).rejects.toMatchObject({ status: 401, message });
  });

  it('is refused with an expired token, with a message about this', async () => {
    const { ask, token, clock } = await setUp();
    clock.advance(100_000);
    const answer = ask({ header: { 'x-auth-token': token } });
    await expect(answer).rejects.toThrow('Unauthorized - Token has expired.');
  });

  it('is refused as soon as its key is disabled, and accepted again once it is enabled', async () => {
    const { ask, key, record, identities } = await setUp();
    const given = { header: { 'svc-api-key': key } };
    await ask(given);
    const disabled = await identities.apiKeys.change(record, { user: 'bob', metadata: {}, enabled: false, limits: {} });
    await expect(ask(given)).rejects.toThrow('Unauthorized - API key is disabled.');
    await identities.apiKeys.change(disabled ?? record, { user: 'bob', metadata: {}, enabled: true, limits: {} });
    expect((await ask(given)).requester.user).toBe('bob');
    await identities.apiKeys.remove(record);
    await expect(ask(given)).rejects.toMatchObject({ status: 401 });
  });

  it('is refused when the user record no longer exists', async () => {
    const { ask, token, store } = await setUp();
    for (const { _id } of await store.users.list()) await store.users.remove(_id);
    await expect(ask({ header: { 'x-auth-token': token } })).rejects.toMatchObject({ status: 401 });
  });

  it('is the system user while access control is off', async () => {
    const { requester } = await anonymousAuthenticator('stanley')(sources({}));
    expect(requester).toEqual({ user: 'stanley', method: 'none', location: 'none', isAdmin: true });
  });
});
