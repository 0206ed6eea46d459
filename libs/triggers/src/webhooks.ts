import { fault, SHARED_CALL_WAIT_MS, together } from '@switchyard/base';
import type { TriggerRecord } from '@switchyard/model';
import { isOneOf, type Store } from '@switchyard/storage';
import { WEBHOOK } from './trigger-record';

/** Reserved webhook paths: requests to them name their trigger in the body. */
export const GENERIC_HOOKS: readonly string[] = ['st2', 'svc'];

/**
 * A URL may have one slash at either end, so that the store can be queried for every spelling.
 * @throws Fault `trigger.webhook-url`
 */
export function checkWebhookUrl(url: string): void {
  const path = webhookPath(url);
  const isSpelt = webhookSpellings(path).includes(url);
  if (path === '' || !isSpelt || GENERIC_HOOKS.includes(path) || /\p{Cc}/u.test(path))
    throw fault('trigger.webhook-url', { url });
}

/** The path below `/webhooks/` at which a URL is served. */
export const webhookPath = (url: string): string => url.replace(/^\/+|\/+$/g, '');

/** All spellings of a path that rules may use. */
export const webhookSpellings = (path: string): string[] => [path, `/${path}`, `${path}/`, `/${path}/`];

export interface HookFinder {
  /** Finds the triggers of the rules that listen to a path. */
  hooksAt(path: string): Promise<readonly TriggerRecord[]>;
}

/**
 * One indexed query finds all spellings of the URLs that are requested at the same time. It begins after the requests. So nothing
 * has to be kept in memory, and a hook responds from the moment its rule is stored, on every replica.
 */
export const createHookFinder = ({ triggers }: Pick<Store, 'triggers'>): HookFinder => ({
  hooksAt: together(
    async (paths: readonly string[]) => {
      const spellings = [...new Set(paths)].flatMap(webhookSpellings);
      const found = await triggers.list({ filter: { type: WEBHOOK, 'parameters.url': isOneOf(spellings) } });
      const byUrl = new Map<unknown, TriggerRecord[]>(spellings.map((url) => [url, []]));
      for (const trigger of found) byUrl.get(trigger.parameters['url'])?.push(trigger);
      return paths.map((path) => webhookSpellings(path).flatMap((url) => byUrl.get(url) ?? []));
    },
    { waitMs: SHARED_CALL_WAIT_MS },
  ),
});

/** How senders sign their requests. */
export const SIGNATURE_SCHEMES = ['github', 'gitlab', 'slack', 'stripe', 'standard', 'hmac'] as const;
export type SignatureScheme = (typeof SIGNATURE_SCHEMES)[number];

/** Parameter `signature` of a webhook trigger: how requests without a token or API key prove their origin. */
export interface WebhookSignature {
  readonly scheme: SignatureScheme;
  /** Names of encrypted items of the system's datastore. Several are valid while a secret is being replaced. */
  readonly secrets: readonly string[];
  /** Seconds during which a repeated request counts once, and by which the time in a request may differ. */
  readonly window?: number;
  /** The remaining members are for the scheme `hmac`. */
  readonly header?: string;
  readonly algorithm?: string;
  readonly encoding?: 'hex' | 'base64';
  /** The prefix of the signature in the header. */
  readonly prefix?: string;
}

export const SIGNATURE_ALGORITHMS: readonly string[] = ['sha1', 'sha256', 'sha384', 'sha512'];
const LONGEST_WINDOW = 7 * 24 * 3600;
const MOST_SECRETS = 5;

/** The schema of the parameter, in the dialect of trigger types. */
export const webhookSignatureSchema = {
  type: 'object',
  description: 'Lets senders without a token or API key sign their requests',
  properties: {
    scheme: { type: 'string', enum: [...SIGNATURE_SCHEMES], required: true },
    secrets: {
      type: 'array',
      description: "Names of encrypted items of the system's datastore",
      items: { type: 'string', minLength: 1 },
      minItems: 1,
      maxItems: MOST_SECRETS,
      required: true,
    },
    window: { type: 'integer', minimum: 1, maximum: LONGEST_WINDOW },
    header: { type: 'string', pattern: '^[A-Za-z0-9_-]+$' },
    algorithm: { type: 'string', enum: [...SIGNATURE_ALGORITHMS] },
    encoding: { type: 'string', enum: ['hex', 'base64'] },
    prefix: { type: 'string', maxLength: 100 },
  },
  additionalProperties: false,
};

const OF_HMAC = ['header', 'algorithm', 'encoding', 'prefix'] as const;

/** @param signature valid against its schema. @throws Fault `trigger.webhook-signature` */
export function checkWebhookSignature(signature: WebhookSignature): void {
  const { scheme, header } = signature;
  if (scheme === 'hmac') {
    if (header === undefined) throw signatureFault('header', 'the scheme "hmac" needs the name of the header');
    if (NOT_FOR_SIGNATURES.includes(header.toLowerCase()))
      throw signatureFault('header', `"${header}" is used for something else`);
    return;
  }
  const wrong = OF_HMAC.find((field) => signature[field] !== undefined);
  if (wrong !== undefined) throw signatureFault(wrong, `only the scheme "hmac" has it, not "${scheme}"`);
}

/** Headers with credentials, and headers with values that others choose. */
const NOT_FOR_SIGNATURES = [
  'x-auth-token',
  'svc-api-key',
  'st2-api-key',
  'cookie',
  'host',
  'content-type',
  'content-length',
];

const signatureFault = (field: string, text: string) => fault('trigger.webhook-signature', { field, text });

/** The signature that a webhook trigger requires. */
export const webhookSignatureOf = ({
  parameters,
}: {
  readonly parameters: Readonly<Record<string, unknown>>;
}): WebhookSignature | undefined => parameters['signature'] as WebhookSignature | undefined;
