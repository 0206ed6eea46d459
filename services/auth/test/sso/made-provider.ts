import { createHash, createHmac, createSign, generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Claims = Record<string, unknown>;

interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const newKey = (): SigningKey => ({ kid: randomUUID(), ...generateKeyPairSync('rsa', { modulusLength: 2048 }) });
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function signed(claims: Claims, { kid, privateKey }: SigningKey): string {
  const text = `${encoded({ alg: 'RS256', kid })}.${encoded(claims)}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`;
}

/** ID tokens that were not signed with the key, for a library that trusts their headers. */
export const FORGED = {
  unsigned: (claims: Claims) => `${encoded({ alg: 'none' })}.${encoded(claims)}.`,
  /** The published key is public. */
  withPublicKey(claims: Claims, { kid, publicKey }: SigningKey) {
    const text = `${encoded({ alg: 'HS256', kid })}.${encoded(claims)}`;
    const secret = publicKey.export({ format: 'pem', type: 'spki' });
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  },
  withKeyOfToken(claims: Claims) {
    const { privateKey, publicKey } = newKey();
    const text = `${encoded({ alg: 'RS256', jwk: publicKey.export({ format: 'jwk' }) })}.${encoded(claims)}`;
    return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`;
  },
} as const;

/** A provider controlled by a test. Codes work once, and only with the correct PKCE verifier. */
export async function madeProvider() {
  let key = newKey();
  let signWith: SigningKey | undefined;
  let issuer = '';
  let forged: keyof typeof FORGED | undefined;
  const codes = new Map<string, { readonly challenge: string; readonly claims: Claims }>();
  const behaviour = { status: 200, error: undefined as string | undefined, issuer: undefined as string | undefined };
  const requests: string[] = [];

  const discovery = () => ({
    issuer: behaviour.issuer ?? issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  });
  const jwks = () => ({
    keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: key.kid, alg: 'RS256', use: 'sig' }],
  });
  const token = (form: URLSearchParams): [number, object] => {
    if (behaviour.error !== undefined) return [400, { error: behaviour.error, error_description: 'client-secret' }];
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (code?.challenge !== challenge) return [400, { error: 'invalid_grant' }];
    const idToken = forged ? FORGED[forged](code.claims, key) : signed(code.claims, signWith ?? key);
    return [200, { access_token: 'marked-access-token', token_type: 'bearer', id_token: idToken }];
  };

  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const path = new URL(request.url ?? '/', issuer).pathname;
      requests.push(path);
      const [status, body] =
        path === '/token'
          ? token(new URLSearchParams(Buffer.concat(parts).toString()))
          : [200, path === '/jwks' ? jwks() : discovery()];
      response.writeHead(behaviour.status === 200 ? status : behaviour.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    issuer,
    behaviour,
    requests,
    forge: (how: keyof typeof FORGED | undefined) => void (forged = how),
    rotateKey: () => void (key = newKey()),
    /** Signs with an unpublished key, under the id of the published one. */
    signWithForeignKey: () => void (signWith = { ...newKey(), kid: key.kid }),
    signWithOwnKey: () => void (signWith = undefined),
    /** Simulates a login at the provider. @returns the parameters that the browser returns with */
    logIn(location: string, changes: Claims = {}) {
      const asked = new URL(location).searchParams;
      const now = Math.floor(Date.now() / 1000);
      const code = randomUUID();
      const usual = { iss: issuer, aud: 'svc', sub: 'ada', iat: now, exp: now + 60, nonce: asked.get('nonce') };
      codes.set(code, { challenge: asked.get('code_challenge') ?? '', claims: { ...usual, ...changes } });
      return { code, state: asked.get('state') ?? '' };
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
