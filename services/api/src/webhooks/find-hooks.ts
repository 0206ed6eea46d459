import type { TriggerRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { WEBHOOK, parametersHash, webhookSpellings } from '@switchyard/triggers';

/**
 * The triggers of the rules that listen to a path. Each spelling of a URL is one trigger, and is found by its parameters: one
 * question to an index, so that nothing has to be kept in memory and a hook answers from the moment its rule is stored, on
 * every replica.
 */
export async function findHooks({ triggers }: Pick<Store, 'triggers'>, path: string): Promise<TriggerRecord[]> {
  const hashes = webhookSpellings(path).map((url) => parametersHash({ url }));
  const found = await triggers.list({ filter: { type: WEBHOOK, parameters_hash: { $in: hashes } } });
  return found.sort((a, b) => hashes.indexOf(a.parameters_hash) - hashes.indexOf(b.parameters_hash));
}
