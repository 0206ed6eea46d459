import { setTimeout as wait } from 'node:timers/promises';
import { counted, isRefusal, isRefusalOrClosed, scaled, unlike, type Attack, type Setting } from '../attack';
import type { Answer } from '../answer';
import { openRaw } from '../raw';
import { ENDURING } from '../users';

const FORM = 'k=1&'.repeat((13 * 1024 * 1024) / 4);
const form = { 'content-type': 'application/x-www-form-urlencoded' };

const CONNECTIONS = 80;
const DECLARED_BYTES = 16_700_000;
const SENT_BYTES = 15 * 1024 * 1024;

const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
  'content-type': 'application/json',
});

export const loginAttacks: readonly Attack[] = [
  {
    name: 'forms before login',
    does: 'asks for a token without credentials, with a form of 13 MB, three at once',
    expects: 'refusals, before the form is read',
    async run({ stranger }) {
      const tokens = () => stranger.send({ method: 'POST', path: '/auth/v1/tokens', headers: form, body: FORM });
      const answers = await Promise.all([tokens(), tokens(), tokens()]);
      return { problems: unlike('forms', answers, isRefusalOrClosed), note: counted(answers) };
    },
  },
  {
    name: 'bodies before login',
    does: `opens ${CONNECTIONS} connections, and sends ${SENT_BYTES} of ${DECLARED_BYTES} bytes of a body over each`,
    expects: 'refusals or closed connections, and ordinary logins that go on',
    run: halfBodies,
  },
  {
    name: 'long passwords',
    does: 'tries long passwords on a user with a slow hash, many at once, while others log in',
    expects: 'refusals, and valid logins that succeed',
    run: floodOfPasswords,
  },
];

async function halfBodies(setting: Setting) {
  const { target, scale } = setting;
  const count = scaled(CONNECTIONS, scale, 8);
  const head = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: ${new URL(target.addresses.auth).host}\r\nContent-Type: application/json\r\nContent-Length: ${DECLARED_BYTES}\r\n\r\n`;
  const body = Buffer.alloc(SENT_BYTES, 'x');
  const open = Array.from({ length: count }, (_, index) => {
    const isLogin = index % 2 === 0;
    const raw = openRaw(isLogin ? target.addresses.auth : target.addresses.api);
    raw.write(head(isLogin ? '/v1/tokens' : '/v1/executions'));
    raw.write(body);
    return raw;
  });
  const logins = await validLogins(setting, 5);
  const received = await Promise.all(open.map((raw) => raw.received(500)));
  for (const raw of open) raw.close();
  const answers = received.map((text) => ({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0) }));
  const bad = answers.filter(({ status }) => !isRefusalOrClosed(status));
  return {
    problems: [
      ...(bad.length > 0 ? [`half bodies were answered: ${counted(bad)}`] : []),
      ...unlike('logins', logins, (status) => status === 201),
    ],
    note: `${counted(answers)}; logins took up to ${longest(logins)} ms`,
  };
}

/** A password of the maximum length. */
const LONGEST_PASSWORD = 1024;
const GUESSES = 200;

async function floodOfPasswords(setting: Setting) {
  const { stranger, scale } = setting;
  const count = scaled(GUESSES, scale, 40);
  const guesses = Array.from({ length: count }, (_, index) =>
    stranger.send({
      method: 'POST',
      path: '/auth/v1/tokens',
      headers: basic(ENDURING, String(index).padEnd(index % 4 === 0 ? 8 * LONGEST_PASSWORD : LONGEST_PASSWORD, 'x')),
      body: '{}',
    }),
  );
  const logins = await validLogins(setting, 5);
  const answers = await Promise.all(guesses);
  return {
    // Too many concurrent logins may be rejected; the next attempt succeeds.
    problems: [
      ...unlike('guesses', answers, (status) => isRefusal(status) || status === 503 || status === 0),
      ...unlike('logins', logins, (status) => status === 201),
    ],
    note: `${counted(answers)}; logins took up to ${longest(logins)} ms`,
  };
}

const longest = (answers: readonly Answer[]): string =>
  Math.max(...answers.map(({ durationMs }) => durationMs)).toFixed(0);

/** Logs in sequentially. Each login retries while the system is busy, and the total time counts. */
async function validLogins({ stranger }: Setting, count: number): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let number = 0; number < count; number++) answers.push(await validLogin(stranger));
  return answers;
}

const BUSY = [429, 503];
const PATIENCE_MS = 30_000;

async function validLogin(stranger: Setting['stranger']): Promise<Answer> {
  const start = performance.now();
  for (;;) {
    const answer = await stranger.send({
      method: 'POST',
      path: '/auth/v1/tokens',
      headers: basic('other', 'otherp'),
      body: '{}',
    });
    const durationMs = performance.now() - start;
    if (!BUSY.includes(answer.status) || durationMs > PATIENCE_MS) return { ...answer, durationMs };
    await wait(50);
  }
}
