import { integer, recordSchema, text, textNeeded } from './mixed';

export const timerSchema = recordSchema({
  trigger: textNeeded,
  fingerprint: textNeeded,
  anchor: integer,
  due_at: integer,
  fired: integer,
  written_at: integer,
});
timerSchema.index({ due_at: 1 });

export const electionSchema = recordSchema({ holder: text, term: integer, since: integer });
