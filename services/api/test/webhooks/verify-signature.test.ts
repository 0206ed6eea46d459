import { createHmac } from 'node:crypto';
import type { WebhookSignature } from '@switchyard/triggers';
import { verifySignature } from '../../src/webhooks/verify-signature';

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
  it('of GitHub is that of its documentation', () => {
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

  it('of Slack is that of its documentation, within five minutes', () => {
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
