import { anything, integer, recordSchema, textNeeded, texts } from './mixed';

export const instanceSchema = recordSchema({
  service: textNeeded,
  host: textNeeded,
  pid: integer,
  beat: integer,
  started_at: integer,
  slots: integer,
  pools: texts,
});
instanceSchema.index({ service: 1 });

/** Facts about the store itself, such as its schema version. */
export const metaSchema = recordSchema({ value: anything });

export const revisionSchema = recordSchema({ revision: integer });
