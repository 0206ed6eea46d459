export * from './spec/model';
export { DefinitionError, type Position } from './spec/definition-error';
export { parseWorkflow } from './spec/parse-workflow';
export { type DefinitionSource } from './spec/source';
export { parseYaml } from './spec/yaml/parse-yaml';
export { isTooDeep } from './spec/yaml/nesting';
export { type YamlText } from './spec/yaml/yaml-text';
export { WORKFLOW_SCHEMA } from './syntax/workflow-schema';
export { type ActionLookup, type ActionParameters, type KnownActions } from './inspect/content-problems';
export { type Category, type ExpressionLanguage, type Finding } from './inspect/finding';
export { flatFindings, type FindingKind, type FlatFinding } from './inspect/flat-findings';
export {
  actionsNamedIn,
  inspectWorkflow,
  workflowWarnings,
  type Inspection,
  type InspectionOptions,
} from './inspect/inspect-workflow';
export { chainToWorkflow, type ChainRunOptions } from './action-chain/chain-to-workflow';
export { checkActionChain, type ChainOptions, type ChainProblem } from './action-chain/check-chain';
export { type ActionChain, type ChainNode } from './action-chain/model';
export { parseActionChain } from './action-chain/parse-chain';
export { chainNames, renderChainValue, unrenderedNode, type ChainNames } from './action-chain/render-chain-value';
export { parseRehearsal } from './rehearsal/spec/parse-rehearsal';
export { type Expectations, type MockExecution, type Rehearsal, type RerunRequest } from './rehearsal/spec/model';
export * from './conductor';
export { type Difference } from './rehearsal/difference';
export { rehearse, type RehearsalOptions, type RehearsalReport } from './rehearsal/rehearse';
