import { fault } from '@switchyard/base';
import type { ActionAliasRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import type { Sealer } from '../sealing/sealer';
import { resourceRepository, type ResourceRepository } from './resources';
import { parameterSealing, withSealedParameters, type ParameterPlace } from './sealed-parameters';

export interface ActionAliasRepository extends ResourceRepository<ActionAliasRecord> {
  /** The aliases that commands can match, ordered by reference. */
  enabled(): Promise<ActionAliasRecord[]>;
  /** Removes all aliases of a pack. @returns the removed ones */
  removeOf(pack: string): Promise<ActionAliasRecord[]>;
}

/** Aliases; their immutable parameters are encrypted in the store. */
export function actionAliasRepository(aliases: Collection<ActionAliasRecord>, sealer: Sealer): ActionAliasRepository {
  const records = withSealedParameters(resourceRepository(aliases, 'ref'), parameterSealing(sealer, IMMUTABLE));
  return {
    ...records,
    enabled: () => records.list({ filter: { enabled: true }, sort: { ref: 1 } }),
    async removeOf(pack) {
      const found = await records.list({ filter: { pack }, sort: { ref: 1 } });
      await aliases.removeAll({ _id: { $in: found.map(({ _id }) => _id) } });
      return found;
    },
  };
}

const IMMUTABLE: ParameterPlace<ActionAliasRecord> = {
  of: ({ immutable_parameters: parameters }) => parameters,
  put: (record, parameters) => ({ ...record, immutable_parameters: parameters }),
  lost: ({ _id, ref = _id }, text) => fault('storage.alias', { ref, text }),
};
