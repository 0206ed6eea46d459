import type { TriggerRecord } from '@switchyard/model';
import { isOneOf, type Store } from '@switchyard/storage';
import { WEBHOOK, parametersHash, webhookSpellings } from '@switchyard/triggers';

/**
 * Finds the triggers of the rules that listen to a path. Each spelling of a URL is one trigger, and one indexed query
 * finds it by its parameters. So nothing has to be kept in memory, and a hook responds from the moment its rule is
 * stored, on every replica.
 */
export async function findHooks({ triggers }: Pick<Store, 'triggers'>, path: string): Promise<TriggerRecord[]> {
  const hashes = webhookSpellings(path).map((url) => parametersHash({ url }));
  const found = await triggers.list({ filter: { type: WEBHOOK, parameters_hash: isOneOf(hashes) } });
  return found.sort((a, b) => hashes.indexOf(a.parameters_hash) - hashes.indexOf(b.parameters_hash));
}
