import type {
  ActionRecord,
  PackRecord,
  RunnerTypeRecord,
  ConfigSchemaRecord,
  ActionAliasRecord,
} from '@switchyard/model';
import type { SealedConfig } from '../repositories/configs';
import type { Layout } from './layout';

export const actionLayout: Layout<ActionRecord> = {
  needed: ['ref', 'uid', 'name', 'pack', 'runner_type'],
  indexes: [
    { fields: { pack: 1, name: 1 }, options: { unique: true } },
    { fields: { ref: 1 }, options: { unique: true } },
    { fields: { name: 1 } },
  ],
};

export const runnerTypeLayout: Layout<RunnerTypeRecord> = {
  needed: ['uid', 'name'],
  indexes: [{ fields: { name: 1 }, options: { unique: true } }],
};

export const packLayout: Layout<PackRecord> = {
  needed: ['ref', 'uid', 'name'],
  indexes: [
    { fields: { ref: 1 }, options: { unique: true } },
    { fields: { name: 1 }, options: { unique: true } },
  ],
};

export const configSchemaLayout: Layout<ConfigSchemaRecord> = {
  needed: ['pack'],
  indexes: [{ fields: { pack: 1 }, options: { unique: true } }],
};

export const configLayout: Layout<SealedConfig> = {
  needed: ['pack'],
  indexes: [{ fields: { pack: 1 }, options: { unique: true } }],
};

export const actionAliasLayout: Layout<ActionAliasRecord> = {
  needed: ['ref', 'uid', 'name', 'pack', 'action_ref'],
  indexes: [
    { fields: { ref: 1 }, options: { unique: true } },
    { fields: { pack: 1, name: 1 }, options: { unique: true } },
    { fields: { name: 1 } },
  ],
};
