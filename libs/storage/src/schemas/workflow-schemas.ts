import { anything, flag, integer, recordSchema, text, textNeeded, texts } from './mixed';

export const workflowSchema = recordSchema({
  execution: textNeeded,
  definition: textNeeded,
  parameters: texts,
  options: anything,
  sealed_secrets: text,
  owner: textNeeded,
  open: flag,
  depth: integer,
  started_at: integer,
});
// What an engine that is gone has left behind.
workflowSchema.index({ owner: 1 }, { partialFilterExpression: { open: { $exists: true } } });

export const workflowJournalSchema = recordSchema({
  workflow: textNeeded,
  revision: integer,
  at: integer,
  step: text,
  step_blob: anything,
});
workflowJournalSchema.index({ workflow: 1, revision: 1 });

export const workflowDefinitionSchema = recordSchema({ runner: textNeeded, text: textNeeded });
