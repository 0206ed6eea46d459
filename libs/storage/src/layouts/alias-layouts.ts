import type { ActionAliasRecord } from '@switchyard/model';
import type { Layout } from './layout';

export const actionAliasLayout: Layout<ActionAliasRecord> = {
  needed: ['ref', 'uid', 'name', 'pack', 'action_ref'],
  indexes: [
    { fields: { ref: 1 }, options: { unique: true } },
    { fields: { pack: 1, name: 1 }, options: { unique: true } },
    { fields: { name: 1 } },
  ],
};
