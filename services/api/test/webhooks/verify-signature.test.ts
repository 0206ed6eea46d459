import { createHmac } from 'node:crypto';
import type { WebhookSignature } from '@switchyard/triggers';
import { secretProblem, verifySignature } from '../../src/webhooks/verify-signature';

const NOW = 1_531_420_618_000;
const SECRET = 'a secret of the sender';
const BODY = '{"a":1}';

interface Sent {
  headers: Record<string, string>;
  body?: string;
}

const verify = (
  signature: Omit<WebhookSignature, 'secrets'>,
  { headers, body = BODY }: Sent,
  { secrets = [SECRET], nowMs = NOW }: { secrets?: string[]; nowMs?: number } = {},
) =>
  verifySignature(
    { header: (name) => headers[name], body: Buffer.from(body) },
    { ...signature, secrets: [] },
    secrets,
    nowMs,
  );

interface Signing {
  secret?: string;
  algorithm?: string;
  encoding?: 'hex' | 'base64';
}

const hmac = (text: string, { secret = SECRET, algorithm = 'sha256', encoding = 'hex' }: Signing = {}) =>
  createHmac(algorithm, secret).update(text).digest(encoding);

const SLACK_BODY =
  'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar' +
  '&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com' +
  '%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a1' +
  '4d10d2c447fce8b6703c';

describe('A signature', () => {
  it('of GitHub matches the example of its documentation', () => {
    const digest = '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
    const sent = { headers: { 'x-hub-signature-256': `sha256=${digest}` }, body: 'Hello, World!' };
    const secrets = ["It's a Secret to Everybody"];
    const dayMs = 24 * 3600 * 1000;
    expect(verify({ scheme: 'github' }, sent, { secrets })).toEqual({
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      expiresMs: NOW + dayMs,
    });
    expect(verify({ scheme: 'github' }, { ...sent, body: 'Hello, World?' }, { secrets })).toBeUndefined();
  });

  it('of Slack matches the example of its documentation, within five minutes', () => {
    const headers = {
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    };
    const at = (nowMs: number, sent: Sent = { headers, body: SLACK_BODY }) =>
      verify({ scheme: 'slack' }, sent, { secrets: ['8f742231b10e8888abcd99yyyzzz85a5'], nowMs });
    expect(at(NOW)).toMatchObject({ expiresMs: NOW + 300_000 });
    expect([at(NOW + 300_000), at(NOW - 300_000)].map(Boolean)).toEqual([true, true]);
    expect([at(NOW + 300_001), at(NOW - 300_001)]).toEqual([undefined, undefined]);
    const later = { ...headers, 'x-slack-request-timestamp': '1531420619' };
    expect(at(NOW, { headers: later, body: SLACK_BODY })).toBeUndefined();
  });

  it('of Stripe may be one of several', () => {
    const stripe = (header: string) => verify({ scheme: 'stripe' }, { headers: { 'stripe-signature': header } });
    const valid = hmac(`1531420618.${BODY}`);
    const other = hmac(`1531420618.${BODY}`, { secret: 'the secret of another endpoint' });
    expect(stripe(`t=1531420618,v1=${other},v1=${valid},v0=x`)).toMatchObject({ expiresMs: NOW + 300_000 });
    for (const header of [
      `t=1531420618,v1=${other}`,
      `t=1531420618,v0=${valid}`,
      `v1=${valid}`,
      `t=1531420617,v1=${valid}`,
      `t=1531420618,t=1531420618,v1=${valid}`,
      `t=-1,v1=${hmac(`-1.${BODY}`)}`,
      `t=1531420618,v1=`,
      '',
    ]) {
      expect(stripe(header)).toBeUndefined();
    }
  });

  it('of GitLab is the secret, and an event is identified by its id', () => {
    const gitlab = (token: string, id = 'e1') =>
      verify({ scheme: 'gitlab' }, { headers: { 'x-gitlab-token': token, 'x-gitlab-event-uuid': id } });
    expect(gitlab(SECRET)?.hash).toBe(gitlab(SECRET)?.hash);
    expect(gitlab(SECRET)?.hash).not.toBe(gitlab(SECRET, 'e2')?.hash);
    expect([gitlab(''), gitlab(`${SECRET}x`), gitlab(SECRET.slice(1)), gitlab(SECRET.toUpperCase())]).toEqual(
      Array(4).fill(undefined),
    );
  });

  // The example of the specification: https://github.com/standard-webhooks/standard-webhooks
  const STANDARD = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: '1614265330',
    body: '{"test": 2432232314}',
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };

  describe('of Standard Webhooks, which GitLab makes with signing tokens,', () => {
    const { id, at, body, secret, signature } = STANDARD;
    const atMs = Number(at) * 1000;
    const standard = (changed: Record<string, string> = {}, { nowMs = atMs, text = body, secrets = [secret] } = {}) =>
      verify(
        { scheme: 'standard' },
        {
          headers: { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature, ...changed },
          body: text,
        },
        { secrets, nowMs },
      );
    const signed = (sentId: string, sentAt: string) => {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      const value = createHmac('sha256', key).update(`${sentId}.${sentAt}.${body}`).digest('base64');
      return { 'webhook-id': sentId, 'webhook-timestamp': sentAt, 'webhook-signature': `v1,${value}` };
    };

    it('matches the example of the specification, within five minutes', () => {
      expect(standard()).toEqual({ hash: expect.stringMatching(/^[0-9a-f]{64}$/), expiresMs: atMs + 300_000 });
      expect(standard({}, { nowMs: atMs + 300_001 })).toBeUndefined();
      expect(standard({}, { nowMs: atMs - 300_001 })).toBeUndefined();
    });

    it('may be one of several, and other versions do not count', () => {
      expect(standard({ 'webhook-signature': `v1,${'A'.repeat(43)}= v1a,xyz ${signature}` })).toBeDefined();
      for (const value of [
        '',
        signature.slice(3),
        signature.replace('v1', 'v1a'),
        signature.replace('v1,', 'v1='),
        `v1,`,
      ])
        expect(standard({ 'webhook-signature': value })).toBeUndefined();
    });

    it('covers id, time and body', () => {
      for (const changed of [
        { 'webhook-id': 'msg_other' },
        { 'webhook-timestamp': '1614265331' },
        { 'webhook-id': '' },
      ])
        expect(standard(changed)).toBeUndefined();
      expect(standard({}, { text: `${body} ` })).toBeUndefined();
    });

    it('counts once for each id, even if it was sent at another time', () => {
      expect(standard(signed('a', at))?.hash).toBe(standard(signed('a', '1614265390'))?.hash);
      expect(standard(signed('a', at))?.hash).not.toBe(standard(signed('b', at))?.hash);
      expect(standard(signed('a.1', at))).toBeUndefined();
    });

    it('needs a secret with a key', () => {
      for (const other of [secret.slice('whsec_'.length), 'whsec_', 'whsec_AAAA', `${secret}x`, 'whsec_ä'])
        expect([other, standard({}, { secrets: [other] })]).toEqual([other, undefined]);
      const empty = createHmac('sha256', '').update(`${id}.${at}.${body}`).digest('base64');
      expect(standard({ 'webhook-signature': `v1,${empty}` }, { secrets: ['whsec_'] })).toBeUndefined();
      expect(secretProblem('standard', secret)).toBeUndefined();
      expect(secretProblem('standard', 'a secret of the sender')).toContain('is not "whsec_" followed by a key');
      expect(secretProblem('github', 'short')).toContain('fewer than 16 characters');
    });
  });

  it.each([
    ['sha256', 'hex', ''],
    ['sha1', 'hex', 'sha1='],
    ['sha512', 'base64', 'HMAC '],
  ] as const)('may be any HMAC: %s as %s after %j', (algorithm, encoding, prefix) => {
    const signature = { scheme: 'hmac', header: 'X-Sign', algorithm, encoding, prefix, window: 60 } as const;
    const value = `${prefix}${hmac(BODY, { algorithm, encoding })}`;
    expect(verify(signature, { headers: { 'x-sign': value } })).toMatchObject({ expiresMs: NOW + 60_000 });
    expect(verify(signature, { headers: { 'x-sign': `x${value}` } })).toBeUndefined();
    expect(verify(signature, { headers: { 'x-sign': value }, body: `${BODY} ` })).toBeUndefined();
    expect(verify(signature, { headers: { 'x-sign': value.slice(0, -4) } })).toBeUndefined();
  });

  it('is valid with any of the secrets, and never without a secret', () => {
    const sent = { headers: { 'x-hub-signature-256': `sha256=${hmac(BODY)}` } };
    const github = (...secrets: string[]) => verify({ scheme: 'github' }, sent, { secrets });
    expect(github('the next secret', SECRET)).toEqual(github(SECRET));
    expect([github('the next secret'), github()]).toEqual([undefined, undefined]);
    const withEmpty = { headers: { 'x-hub-signature-256': `sha256=${hmac(BODY, { secret: '' })}` } };
    expect(verify({ scheme: 'github' }, withEmpty)).toBeUndefined();
  });

  it('with another secret identifies the same request, which cannot be sent again with that secret', () => {
    const stripe = (secret: string) => {
      const header = `t=1531420618,v1=${hmac(`1531420618.${BODY}`, { secret })}`;
      return verify(
        { scheme: 'stripe' },
        { headers: { 'stripe-signature': header } },
        { secrets: ['old one', 'new one'] },
      );
    };
    expect(stripe('old one')).toEqual(stripe('new one'));
    expect(stripe('old one')).toBeDefined();
  });
});
