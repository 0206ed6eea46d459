import { anything, integer, recordSchema, text, textNeeded, texts } from './mixed';

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

export const triggerInstanceSchema = recordSchema({
  trigger: textNeeded,
  payload: anything,
  occurrence_time: integer,
  status: textNeeded,
  trace_context: anything,
  request_key: text,
  due: texts,
  due_at: integer,
});
triggerInstanceSchema.index({ request_key: 1 }, { unique: true, sparse: true });
triggerInstanceSchema.index({ occurrence_time: -1, trigger: 1 });
triggerInstanceSchema.index({ due_at: 1 }, { sparse: true });

/** Facts about the store itself, such as its schema version. */
export const metaSchema = recordSchema({ value: anything });
