import { createHash } from 'node:crypto';
import { fault, isFault, messageOf, MS_MICROS, newId } from '@switchyard/base';
import type { CheckSignature, RequestHead, Requester } from '@switchyard/http';
import type { SignedEvent } from '@switchyard/identity';
import type { TriggerRecord, WebhookDeliveryRecord } from '@switchyard/model';
import { webhookSignatureOf, type SignatureScheme, type WebhookSignature } from '@switchyard/triggers';
import type { ApiDependencies } from '../api-dependencies';
import {
  secretProblem,
  SIGNATURE_HEADERS,
  signatureHeader,
  verifySignature,
  type SignedRequest,
} from './verify-signature';

type Deps = Pick<ApiDependencies, 'store' | 'triggers' | 'datastore' | 'clock' | 'logger'>;

/** The user name for signed requests. Nobody can log in with it: names in credentials end at a colon. */
const SENDER = 'system:webhook';

interface SignedTrigger {
  readonly ref: string;
  readonly signature: WebhookSignature;
}

/**
 * Finds the triggers of a webhook that can verify the signature of a request: those that require a signature that it
 * has. A wrong signature is refused like a missing credential.
 */
export const signatureCheck =
  (deps: Deps) =>
  async (head: RequestHead, { hook }: { readonly hook: string }): Promise<CheckSignature | undefined> => {
    const hooks = await deps.triggers.hooksAt(hook);
    const asking = hooks
      .flatMap(signedTrigger)
      .filter(({ signature }) => head.headerValues(signatureHeader(signature)).length > 0);
    // The body is also read for unknown webhooks. Otherwise the response time would reveal which ones exist.
    if (asking.length === 0 && !isSigned(head)) return undefined;
    return async (body) => {
      const request = { body, header: (name: string) => onlyValue(head.headerValues(name)) };
      const signedFor: SignedEvent[] = [];
      for (const trigger of asking) signedFor.push(...(await verified(deps, trigger, request)));
      if (signedFor.length > 0) return signedBy(signedFor);
      deps.logger.audit('Webhook refused: it has no valid signature.', { hook, address: head.remoteAddress });
      throw fault('auth.bad-signature');
    };
  };

/** Whether a request has the header of a scheme. The headers of `hmac` are configured. */
const isSigned = (head: RequestHead): boolean => SIGNATURE_HEADERS.some((name) => head.headerValues(name).length > 0);

const signedTrigger = (trigger: TriggerRecord): SignedTrigger[] => {
  const signature = webhookSignatureOf(trigger);
  return signature ? [{ ref: trigger.ref, signature }] : [];
};

const onlyValue = (values: readonly string[]): string | undefined => (values.length === 1 ? values[0] : undefined);

const signedBy = (signedFor: readonly SignedEvent[]): Requester => ({
  user: SENDER,
  method: 'signature',
  location: 'header',
  isAdmin: false,
  signedFor,
});

async function verified(deps: Deps, { ref, signature }: SignedTrigger, request: SignedRequest): Promise<SignedEvent[]> {
  const secrets: string[] = [];
  for (const name of signature.secrets) secrets.push(...(await secretOf(deps, name, signature.scheme)));
  const signed = verifySignature(request, signature, secrets, deps.clock.nowMicros() / MS_MICROS);
  return signed ? [{ trigger: ref, content: signed.hash, expiresMs: signed.expiresMs }] : [];
}

/** Leaves out secrets that cannot be used. The reason is logged, and not shown to senders. */
async function secretOf({ datastore, logger }: Deps, name: string, scheme: SignatureScheme): Promise<string[]> {
  const unusable = (reason: string) => {
    logger.warn(`The secret "${name}" of a webhook cannot be used: ${reason}.`, { item: name });
    return [];
  };
  try {
    const item = await datastore.get({ scope: 'system', name }, { decryptFor: SENDER });
    if (!item) return unusable('there is no such item in the datastore');
    if (!item.secret) return unusable('the item is not encrypted');
    const problem = secretProblem(scheme, item.value);
    return problem === undefined ? [item.value] : unusable(problem);
  } catch (error) {
    if (!isFault(error)) throw error;
    return unusable(messageOf(error));
  }
}

/**
 * Claims the events of a signed request that were not caused by an earlier delivery. @throws Fault `auth.bad-signature`
 * if all of them were
 */
export async function claimDeliveries(
  { store, clock, logger }: Pick<Deps, 'store' | 'clock' | 'logger'>,
  hook: string,
  events: readonly SignedEvent[],
): Promise<ReadonlyMap<string, WebhookDeliveryRecord>> {
  const now = new Date(clock.nowMicros() / MS_MICROS);
  const claimed = new Map<string, WebhookDeliveryRecord>();
  for (const { trigger, content, expiresMs } of events) {
    const _id = createHash('sha256').update(`${trigger}\n${content}`).digest('hex');
    const record = { _id, delivery: newId(), done: false, expires: new Date(expiresMs) };
    const stored = await store.webhookDeliveries.claim(record, now);
    if (!stored.done) claimed.set(trigger, stored);
  }
  if (claimed.size > 0) return claimed;
  logger.audit('Webhook refused: it is a repeated request.', { hook });
  throw fault('auth.bad-signature');
}
