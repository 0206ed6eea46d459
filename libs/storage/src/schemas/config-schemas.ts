import { anything, recordSchema, text, textNeeded } from './mixed';

export const configSchemaSchema = recordSchema({ pack: textNeeded, attributes: anything });
configSchemaSchema.index({ pack: 1 }, { unique: true });

export const configSchema = recordSchema({ pack: textNeeded, sealed: text, values: anything });
configSchema.index({ pack: 1 }, { unique: true });
