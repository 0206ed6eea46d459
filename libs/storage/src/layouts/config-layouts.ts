import type { ConfigSchemaRecord } from '@switchyard/model';
import type { SealedConfig } from '../repositories/configs';
import type { Layout } from './layout';

export const configSchemaLayout: Layout<ConfigSchemaRecord> = {
  needed: ['pack'],
  indexes: [{ fields: { pack: 1 }, options: { unique: true } }],
};

export const configLayout: Layout<SealedConfig> = {
  needed: ['pack'],
  indexes: [{ fields: { pack: 1 }, options: { unique: true } }],
};
