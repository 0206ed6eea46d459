export { problemText, ruleAsker, type RuleAnswer } from './ask-rule';
export { compileRule, type CompiledRule } from './compile-rule';
export * from './correlation';
export { ruleEvent, type RuleEvent } from './event';
export { createRuleSet, type RuleSet } from './rule-set';
