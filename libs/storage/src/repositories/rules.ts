import { fault } from '@switchyard/base';
import type { RuleRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import type { Sealer } from '../sealing/sealer';
import { resourceRepository, type ResourceRepository } from './resources';
import { parameterSealing, withSealedParameters, type ParameterPlace } from './sealed-parameters';

/** Rules; the parameters of their actions are encrypted in the store. */
export const ruleRepository = (rules: Collection<RuleRecord>, sealer: Sealer): ResourceRepository<RuleRecord> =>
  withSealedParameters(resourceRepository(rules, 'ref'), parameterSealing(sealer, OF_ACTION));

/** A partially read rule may have no action. */
const OF_ACTION: ParameterPlace<RuleRecord> = {
  of: ({ action }) => (action as RuleRecord['action'] | undefined)?.parameters,
  put: (record, parameters) => ({ ...record, action: { ...record.action, parameters } }),
  lost: ({ _id, ref = _id }, text) => fault('storage.rule', { ref, text }),
};
