import type { ActionAliasRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import { resourceRepository, type ResourceRepository } from './resources';

export interface ActionAliasRepository extends ResourceRepository<ActionAliasRecord> {
  /** Those that a command may run, in the order of their references. */
  enabled(): Promise<ActionAliasRecord[]>;
  /** Removes all of a pack. @returns those that were there */
  removeOf(pack: string): Promise<ActionAliasRecord[]>;
}

export function actionAliasRepository(aliases: Collection<ActionAliasRecord>): ActionAliasRepository {
  return {
    ...resourceRepository(aliases, 'ref'),
    enabled: () => aliases.list({ filter: { enabled: true }, sort: { ref: 1 } }),
    async removeOf(pack) {
      const found = await aliases.list({ filter: { pack }, sort: { ref: 1 } });
      await aliases.removeAll({ _id: { $in: found.map(({ _id }) => _id) } });
      return found;
    },
  };
}
