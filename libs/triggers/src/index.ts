export type { Dispatch, DispatchRequest, TraceContext, TriggerName } from './dispatch-request';
export { executionKey, executionOfKey, keysOfExecution } from './execution-keys';
export { createListeners, type Listeners, type ListenersDependencies } from './listeners';
export * from './names';
export { parametersHash } from './parameters/canonical-json';
export { GENERIC_HOOKS, webhookPath, webhookSpellings } from './parameters/check-parameters';
export { checkTimer } from './parameters/check-timer';
export {
  CRON_FIELDS,
  parseCron,
  parseCronField,
  type CronField,
  type CronSchedule,
  type CronTerm,
} from './parameters/cron-fields';
export { timerSchedule, type TimerFrame, type TimerSchedule } from './timers';
export { checkRule, type RuleDraft } from './rules/check-rule';
export { ruleShape } from './rules/rule-shape';
export { RULE_TYPES, type RuleType } from './rules/rule-types';
export { toldStatuses } from './told-statuses';
export { namesNoEvent, timerTag, webhookTag } from './trace-tags';
export { createTriggers, type Triggers } from './triggers';
export type { TriggersDependencies } from './triggers-dependencies';
export {
  checkTriggerType,
  isSimple,
  triggerTypeRecord,
  type TriggerTypeDraft,
} from './trigger-types/trigger-type-draft';
