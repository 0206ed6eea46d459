import { fault } from '@switchyard/base';

/** How senders sign their requests. */
export const SIGNATURE_SCHEMES = ['github', 'gitlab', 'slack', 'stripe', 'hmac'] as const;
export type SignatureScheme = (typeof SIGNATURE_SCHEMES)[number];

/** Parameter `signature` of a webhook trigger: what proves a request that has no token or API key. */
export interface WebhookSignature {
  readonly scheme: SignatureScheme;
  /** Names of encrypted items of the system's datastore. Several of them count while a secret is replaced. */
  readonly secrets: readonly string[];
  /** Seconds during which a repeated request counts once, and by which the time in a request may be off. */
  readonly window?: number;
  /** The rest is for the scheme `hmac`. */
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

/** Headers of credentials, and those whose values others choose. */
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

/** The signature that a webhook trigger asks for. */
export const webhookSignatureOf = ({
  parameters,
}: {
  readonly parameters: Readonly<Record<string, unknown>>;
}): WebhookSignature | undefined => parameters['signature'] as WebhookSignature | undefined;
