import { itemUid } from '@switchyard/datastore';
import type { AccessControl, Actor } from '@switchyard/identity';
import { parseReference, toUid } from '@switchyard/model';
import { WEBHOOK, webhookPath, webhookSignatureOf, type RuleDraft } from '@switchyard/triggers';

/**
 * A rule runs its action, listens to its webhook, and uses items of the datastore to check signatures on behalf of the
 * user who created it.
 * @throws Fault `auth.forbidden`
 */
export async function authoriseRule(
  access: AccessControl,
  actor: Actor,
  { action, trigger }: Pick<RuleDraft, 'action' | 'trigger'>,
): Promise<void> {
  const { pack, name } = parseReference(action.ref) ?? { pack: '', name: action.ref };
  await access.authorise(actor, 'action_execute', toUid('action', pack, name));
  if (trigger.type !== WEBHOOK) return;
  await access.authorise(actor, 'webhook_create', toUid('webhook', webhookPath(String(trigger.parameters['url']))));
  for (const name of webhookSignatureOf(trigger)?.secrets ?? []) {
    await access.authorise(actor, 'key_value_pair_view', itemUid({ scope: 'system', name }));
  }
}
