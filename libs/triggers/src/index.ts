export {
  type Dispatch,
  type DispatchRequest,
  type DispatchTrace,
  type TriggerName,
  executionKey,
  executionOfKey,
  keysOfExecution,
  namesNoEvent,
  timerTag,
  webhookTag,
} from './dispatch';
export { createListeners, type Listeners, type ListenersDependencies, toldStatuses } from './listeners';
export * from './trigger-record';
export { parametersHash } from './trigger-record';
export {
  GENERIC_HOOKS,
  SIGNATURE_SCHEMES,
  webhookPath,
  webhookSignatureOf,
  webhookSpellings,
  type SignatureScheme,
  type WebhookSignature,
} from './webhooks';
export { checkTimer } from './check-parameters';
export {
  CRON_FIELDS,
  parseCron,
  parseCronField,
  type CronField,
  type CronSchedule,
  type CronTerm,
} from './timers/cron-fields';
export { timerSchedule, type TimerFrame, type TimerSchedule } from './timers/timer-schedule';
export { checkRule, type RuleDraft, ruleShape, RULE_TYPES, type RuleType } from './rules/check-rule';
export { createTriggers, type Triggers, type TriggersDependencies } from './triggers';
export {
  checkTriggerType,
  isSimple,
  triggerTypeRecord,
  type TriggerTypeDraft,
} from './trigger-types/trigger-type-draft';
