export { graphView, type WorkflowGraphView } from './graph-view';
export { createDefinitionInspector, type DefinitionInspector } from './inspect-definition';
export { parseDefinition, type WorkflowDefinition } from './parse-definition';
export { History, type EntryTimes, type Order, type Step } from './history';
export { type WorkflowJournal } from './journal';
export { createWorkflows, type Workflows } from './workflows';
export { actionOfKey, requestKeyOf, taskIdOf, workflowIdOf, type ActionOfTask } from './names';
