import type { ActionRecord, PackRecord, RunnerTypeRecord } from '@switchyard/model';
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
