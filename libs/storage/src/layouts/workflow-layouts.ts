import type { WorkflowDefinitionRecord, WorkflowJournalRecord, WorkflowRecord } from '@switchyard/model';
import type { Layout } from './layout';

export const workflowLayout: Layout<WorkflowRecord> = {
  needed: ['execution', 'definition', 'owner'],
  indexes: [
    // Runs left behind by an engine that died.
    { fields: { owner: 1 }, options: { partialFilterExpression: { open: { $exists: true } } } },
    // The oldest ones, to remove them.
    { fields: { started_at: 1 } },
  ],
};

export const workflowJournalLayout: Layout<WorkflowJournalRecord> = {
  needed: ['workflow'],
  indexes: [{ fields: { workflow: 1, revision: 1 } }],
};

export const workflowDefinitionLayout: Layout<WorkflowDefinitionRecord> = {
  needed: ['runner', 'text'],
  indexes: [],
};
