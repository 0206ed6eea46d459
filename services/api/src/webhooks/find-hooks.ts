import type { TriggerRecord } from '@switchyard/model';
import { isOneOf, type Store } from '@switchyard/storage';
import { WEBHOOK, webhookSpellings } from '@switchyard/triggers';

/**
 * Finds the triggers of the rules that listen to a path. One indexed query finds all spellings of a URL. So nothing has to be
 * kept in memory, and a hook responds from the moment its rule is stored, on every replica.
 */
export async function findHooks({ triggers }: Pick<Store, 'triggers'>, path: string): Promise<TriggerRecord[]> {
  const spellings = webhookSpellings(path);
  const found = await triggers.list({ filter: { type: WEBHOOK, 'parameters.url': isOneOf(spellings) } });
  const order = ({ parameters }: TriggerRecord) => spellings.indexOf(String(parameters['url']));
  return found.sort((a, b) => order(a) - order(b));
}
