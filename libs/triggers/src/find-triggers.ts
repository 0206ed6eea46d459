import { isFault } from '@switchyard/base';
import type { TriggerRecord } from '@switchyard/model';
import { parametersHash } from './parameters/canonical-json';
import type { TriggersDependencies } from './triggers-dependencies';

type Triggers = TriggersDependencies['store']['triggers'];

/** The trigger of a type with exactly these parameters; there is at most one. */
export async function findTrigger(
  triggers: Triggers,
  type: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<TriggerRecord | undefined> {
  const filter = { type, parameters_hash: parametersHash(parameters) };
  return (await triggers.list({ filter, limit: 1 }))[0];
}

/**
 * Stores a trigger unless somebody else has just stored one of the same type and parameters.
 * @returns the one that is stored, and whether it is new
 */
export async function insertTrigger(
  triggers: Triggers,
  record: TriggerRecord,
): Promise<{ trigger: TriggerRecord; created: boolean }> {
  try {
    return { trigger: await triggers.insert(record), created: true };
  } catch (error) {
    if (!isFault(error) || error.code !== 'storage.duplicate') throw error;
    const other = await findTrigger(triggers, record.type, record.parameters);
    if (!other) throw error;
    return { trigger: other, created: false };
  }
}
