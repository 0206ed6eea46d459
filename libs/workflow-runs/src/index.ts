export { createDefinitionInspector, type DefinitionInspector } from './definition-inspector';
export { parseDefinition, type WorkflowDefinition } from './definitions';
export { type WorkflowGraphView } from './graph-view';
export {
  createWorkflowJournal,
  History,
  type ActionCommand,
  type EntryTimes,
  type JournalStep,
  type WorkflowJournal,
  actionOfKey,
  requestKeyOf,
  taskIdOf,
  workflowIdOf,
  type ActionOfTask,
} from './journal';
export { type TaskContextView } from './task-context-view';
export { createWorkflows, type Workflows } from './workflows';
