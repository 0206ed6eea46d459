export { createWorkflowEngine, type WorkflowEngineDeps } from './workflow-engine';
