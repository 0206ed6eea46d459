export { compileRule, type CompiledRule } from './compile-rule';
export {
  NO_STATE,
  parseCorrelation,
  type CorrelatedEvent,
  type CorrelationBatch,
  type Correlation,
  type CorrelationState,
  type Decision,
  type PendingEvent,
} from './correlation';
export { decideCorrelation, nextRipe, ripe, settled, stateLifeMicros, taken } from './decide-correlation';
export {
  createRuleSet,
  problemText,
  ruleAsker,
  ruleEvent,
  type RuleAnswer,
  type RuleEvent,
  type RuleSet,
} from './rule-set';
