import type { LimitRecord, PolicyRecord } from '@switchyard/model';
import type { Layout } from './layout';

export const policyLayout: Layout<PolicyRecord> = {
  needed: ['ref', 'uid', 'name', 'pack', 'resource_ref', 'policy_type'],
  indexes: [
    { fields: { ref: 1 }, options: { unique: true } },
    { fields: { pack: 1, name: 1 }, options: { unique: true } },
    { fields: { resource_ref: 1, policy_type: 1 }, options: { unique: true } },
  ],
};

/** The executions that count towards the limits of policies. */
export const limitLayout: Layout<LimitRecord> = {
  needed: [],
  indexes: [{ fields: { holders: 1 } }],
};
