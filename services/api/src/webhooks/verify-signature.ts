import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { MINUTE_MS, SECOND_MS } from '@switchyard/base';
import type { SignatureScheme, WebhookSignature } from '@switchyard/triggers';

/** The parts of a request that signatures cover. */
export interface SignedRequest {
  /** @param name in lower case. Undefined if it was not sent, or more than once */
  header(name: string): string | undefined;
  /** The unparsed body. */
  readonly body: Uint8Array;
}

/** The signed content. */
export interface SignedContent {
  /** Equal for repetitions of the same signed request, whatever secrets they were signed with. */
  readonly hash: string;
  /** The time until which the same request must not count again. */
  readonly expiresMs: number;
}

/** The signature data of a request. */
interface Presented {
  /** The request is valid if one of these is the signature of the content with one of the secrets. */
  readonly given: readonly Buffer[];
  readonly expected: (secret: string) => Buffer;
  /** Parts that identify the request. */
  readonly content: readonly (string | Uint8Array)[];
  /** Seconds since 1970, if the time is part of what is signed. */
  readonly sentAt?: number;
}

type Scheme = (request: SignedRequest, signature: WebhookSignature) => Presented | undefined;

/**
 * Checks a signature. Compares all secrets and signatures, each in constant time.
 * @returns undefined if the request is not signed with one of the secrets, or at another time
 */
export function verifySignature(
  request: SignedRequest,
  signature: WebhookSignature,
  secrets: readonly string[],
  nowMs: number,
): SignedContent | undefined {
  const presented = schemes[signature.scheme](request, signature);
  if (!presented) return undefined;
  const { given, expected, content, sentAt } = presented;
  const fits = secrets.flatMap((secret) => given.map((bytes) => isSame(bytes, expected(secret))));
  if (!fits.includes(true)) return undefined;
  const windowMs = (signature.window ?? defaultWindow(sentAt)) * SECOND_MS;
  const sentMs = sentAt === undefined ? nowMs : sentAt * SECOND_MS;
  if (Math.abs(nowMs - sentMs) > windowMs) return undefined;
  const hash = createHash('sha256');
  for (const part of content) hash.update(createHash('sha256').update(part).digest());
  return { hash: hash.digest('hex'), expiresMs: sentMs + windowMs };
}

const DAY_SECONDS = 24 * 3600;

/** The header that holds the signature, in lower case. */
export const signatureHeader = ({ scheme, header = '' }: WebhookSignature): string =>
  scheme === 'hmac' ? header.toLowerCase() : HEADERS[scheme];

const HEADERS: Readonly<Record<Exclude<SignatureScheme, 'hmac'>, string>> = {
  github: 'x-hub-signature-256',
  gitlab: 'x-gitlab-token',
  slack: 'x-slack-signature',
  stripe: 'stripe-signature',
  standard: 'webhook-signature',
};

/** The headers that belong to a scheme. */
export const SIGNATURE_HEADERS: readonly string[] = Object.values(HEADERS);

/** Without a time in the request, repetitions can only be recognized by stored deliveries. */
const defaultWindow = (sentAt: number | undefined): number =>
  sentAt === undefined ? DAY_SECONDS : (5 * MINUTE_MS) / SECOND_MS;

/** A key of random bytes that no sender has. */
const NO_KEY = randomBytes(32);

/** Why a secret cannot be used with a scheme; undefined if it can. Short secrets could be guessed. */
export function secretProblem(scheme: SignatureScheme, secret: string): string | undefined {
  if (secret.length < SHORTEST_SECRET) return `it has fewer than ${SHORTEST_SECRET} characters`;
  if (scheme === 'standard' && !signingKey(secret)) return 'it is not "whsec_" followed by a key in base64';
  return undefined;
}

const SHORTEST_SECRET = 16;
const SIGNING_KEY = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

/** @returns the key in `whsec_<base64>`; undefined if it is invalid or shorter than 16 bytes */
function signingKey(secret: string): Buffer | undefined {
  const key = Buffer.from(SIGNING_KEY.exec(secret)?.[1] ?? '', 'base64');
  return key.length < SHORTEST_SECRET ? undefined : key;
}

function isSame(some: Buffer, other: Buffer): boolean {
  return some.length === other.length && timingSafeEqual(some, other);
}

const hmacOf =
  (algorithm: string, ...content: readonly (string | Uint8Array)[]) =>
  (secret: string | Buffer): Buffer => {
    const hmac = createHmac(algorithm, secret);
    for (const part of content) hmac.update(part);
    return hmac.digest();
  };

const schemes: Readonly<Record<SignatureScheme, Scheme>> = {
  github: (request) => bodyHmac(request, { header: HEADERS.github, algorithm: 'sha256', prefix: 'sha256=' }),

  /** The request contains the secret itself. GitLab assigns each event an id, but does not sign it. */
  gitlab({ header, body }) {
    const token = header(HEADERS.gitlab);
    if (token === undefined) return undefined;
    const digest = (text: string) => createHash('sha256').update(text).digest();
    const event = header('idempotency-key') ?? header('x-gitlab-event-uuid') ?? '';
    return { given: [digest(token)], expected: digest, content: [event, body] };
  },

  slack({ header, body }) {
    const sentAt = header('x-slack-request-timestamp');
    const given = decoded(header(HEADERS.slack), { prefix: 'v0=' });
    if (!given || !isTimestamp(sentAt)) return undefined;
    const content = [`v0:${sentAt}:`, body];
    return { given: [given], expected: hmacOf('sha256', ...content), content, sentAt: Number(sentAt) };
  },

  stripe({ header, body }) {
    const items = (header(HEADERS.stripe) ?? '').split(',').map((item) => item.trim());
    const valuesOf = (name: string) =>
      items.filter((item) => item.startsWith(`${name}=`)).map((item) => item.slice(name.length + 1));
    const [sentAt, ...others] = valuesOf('t');
    if (!isTimestamp(sentAt) || others.length > 0) return undefined;
    const given = valuesOf('v1')
      .slice(0, MOST_GIVEN)
      .flatMap((value) => decoded(value) ?? []);
    const content = [`${sentAt}.`, body];
    return { given, expected: hmacOf('sha256', ...content), content, sentAt: Number(sentAt) };
  },

  /** Standard Webhooks, as GitLab's signing tokens. The id is signed, and stays the same when a request is repeated. */
  standard({ header, body }) {
    const [id, sentAt] = [header('webhook-id'), header('webhook-timestamp')];
    // With a period in it, the end of the id would be ambiguous.
    if (!id || id.includes('.') || !isTimestamp(sentAt)) return undefined;
    const given = (header(HEADERS.standard) ?? '')
      .split(' ')
      .slice(0, MOST_GIVEN)
      .flatMap((value) => decoded(value, { prefix: 'v1,', encoding: 'base64' }) ?? []);
    const expected = (secret: string) => hmacOf('sha256', `${id}.${sentAt}.`, body)(signingKey(secret) ?? NO_KEY);
    return { given, expected, content: [id], sentAt: Number(sentAt) };
  },

  hmac: (request, signature) => bodyHmac(request, { ...signature, header: signatureHeader(signature) }),
};

/** Stripe and Standard Webhooks send one signature for each of their secrets that are in use. */
const MOST_GIVEN = 10;

interface BodyHmac extends Pick<WebhookSignature, 'algorithm' | 'encoding' | 'prefix'> {
  readonly header: string;
}

function bodyHmac({ header, body }: SignedRequest, { algorithm = 'sha256', ...form }: BodyHmac): Presented | undefined {
  const given = decoded(header(form.header), form);
  return given && { given: [given], expected: hmacOf(algorithm, body), content: [body] };
}

const isTimestamp = (text: string | undefined): text is string => text !== undefined && /^\d{1,12}$/.test(text);

const FORMS = { hex: /^(?:[0-9a-f]{2})+$/i, base64: /^[0-9a-z+/]+={0,2}$/i } as const;

function decoded(
  text: string | undefined,
  { prefix = '', encoding = 'hex' }: Pick<WebhookSignature, 'prefix' | 'encoding'> = {},
): Buffer | undefined {
  if (!text?.startsWith(prefix)) return undefined;
  const value = text.slice(prefix.length);
  return FORMS[encoding].test(value) ? Buffer.from(value, encoding) : undefined;
}
