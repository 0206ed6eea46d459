export * from './spec/model';
export { DefinitionError, type Position } from './spec/definition-error';
export { parseWorkflow } from './spec/read-workflow';
export { type DefinitionSource } from './spec/source';
export { parseYaml } from './spec/yaml/parse-yaml';
export { type YamlText } from './spec/yaml/yaml-text';
export { WORKFLOW_SCHEMA } from './syntax/workflow-schema';
export { type ActionLookup, type ActionParameters, type KnownActions } from './inspect/content-problems';
export { type Category, type ExpressionLanguage, type InspectionFinding } from './inspect/finding';
export { flatFindings, type FindingKind, type FlatFinding } from './inspect/inspect-workflow';
export {
  actionsNamedIn,
  inspectWorkflow,
  workflowWarnings,
  type InspectionFindings,
  type InspectionOptions,
} from './inspect/inspect-workflow';
export {
  outlineOf,
  taskOutline,
  transitionOutline,
  type TaskOutline,
  type TransitionOutline,
  type WorkflowOutline,
} from './graph/outline';
export { chainToWorkflow, type ChainRunOptions } from './action-chain/chain-to-workflow';
export { checkActionChain, type ChainOptions, type ChainProblem } from './action-chain/check-chain';
export { type ActionChain, type ChainNode } from './action-chain/read-chain';
export { parseActionChain } from './action-chain/check-chain';
export { chainNames, renderChainValue, unrenderedNode, type ChainNames } from './action-chain/render-chain-value';
export { parseRehearsal, parseRehearsalWithoutFiles } from './rehearsal/parse-rehearsal';
export {
  type Expectations,
  type MockExecution,
  type Rehearsal,
  type RehearsalFile,
  type RehearsedRerun,
} from './rehearsal/rehearsal';
export { RehearsalError, rehearseTexts, type RehearsalRequest } from './rehearsal/rehearse-texts';
export { type RehearsedTask } from './rehearsal/perform';
export * from './conductor';
export { type Difference } from './rehearsal/rehearse';
export {
  rehearse,
  rehearseWithOutcome,
  type RehearsalOptions,
  type RehearsalOutcome,
  type RehearsalReport,
  type RehearsalReportWithOutcome,
} from './rehearsal/rehearse';
