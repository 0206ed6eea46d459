import { createPasswordLogin, readBasicCredentials } from '@switchyard/identity';
import { handClock } from '../hand-clock';
import { memoryStore } from '../memory-store';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

function setUp() {
  const clock = handClock();
  const backend = {
    authenticate: (user: string, password: string) => Promise.resolve(password === `p:${user}` || password === ':'),
  };
  const { store } = memoryStore();
  const login = createPasswordLogin(backend, { store, clock });
  const attempt = (authorization: string | undefined, address = '10.0.0.1') => login({ authorization, address });
  return { clock, attempt };
}

describe('a login', () => {
  it.each([basic('ada:p:ada'), basic('ada:p:ada').replace('Basic', 'bAsIc'), basic('ada::')])(
    'accepts %p, with colons in the password',
    async (header) => {
      expect(await setUp().attempt(header)).toBe('ada');
    },
  );

  it('accepts names and passwords in any alphabet', async () => {
    expect(await setUp().attempt(basic('žluť:p:žluť'))).toBe('žluť');
  });

  it.each([
    undefined,
    '',
    'Basic',
    'Basic ',
    'Basic !!!',
    'Basic a b',
    `Basic  ${Buffer.from('ada:p:ada').toString('base64')}`,
    'Bearer YWRhOnA6YWRh',
    'YWRhOnA6YWRh',
    'Basic //46/w==',
    basic('ada'),
    basic('ada:'),
    basic(':p:'),
    basic('ada:wrong'),
  ])('is refused for %p', async (header) => {
    await expect(setUp().attempt(header)).rejects.toMatchObject({
      status: 401,
      message: 'Invalid or missing credentials',
    });
  });

  it('is refused without a check when the name or password is longer than 1,024 characters', async () => {
    const asked: string[] = [];
    const authenticate = (user: string) => Promise.resolve(asked.push(user) > 0);
    const login = createPasswordLogin({ authenticate }, { store: memoryStore().store, clock: handClock() });
    const attempt = (text: string) => login({ authorization: basic(text), address: '10.0.0.1' });
    expect(await attempt(`ada:${'p'.repeat(1024)}`)).toBe('ada');
    await expect(attempt(`ada:${'p'.repeat(1025)}`)).rejects.toMatchObject({ status: 401 });
    await expect(attempt(`${'a'.repeat(1025)}:p`)).rejects.toMatchObject({ status: 401 });
    expect(asked).toEqual(['ada']);
  });

  it('is blocked for a minute after ten wrong passwords in a row, for this user and address only', async () => {
    const { attempt, clock } = setUp();
    for (let i = 0; i < 10; i += 1) await expect(attempt(basic('ada:wrong'))).rejects.toMatchObject({ status: 401 });
    await expect(attempt(basic('ada:p:ada'))).rejects.toMatchObject({ status: 429, extra: { retry_after: 60 } });
    expect(await attempt(basic('bob:p:bob'))).toBe('bob');
    expect(await attempt(basic('ada:p:ada'), '10.0.0.2')).toBe('ada');
    clock.advance(60_000);
    expect(await attempt(basic('ada:p:ada'))).toBe('ada');
  });

  it('resets the failure count when it succeeds', async () => {
    const { attempt } = setUp();
    for (let i = 0; i < 25; i += 1) {
      await expect(attempt(basic('ada:wrong'))).rejects.toMatchObject({ status: 401 });
      if (i % 5 === 0) await attempt(basic('ada:p:ada'));
    }
  });
});

describe('basic credentials', () => {
  it('are split at the first colon', () => {
    expect(readBasicCredentials(basic('ada:a:b:c'))).toEqual({ user: 'ada', password: 'a:b:c' });
  });
});
