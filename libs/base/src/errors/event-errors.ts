import type { CatalogueEntry } from './catalogue';

/** Triggers, timers, webhooks, and rules with their criteria. */
export const eventErrors = {
  'criteria.not-an-object': { status: 400, template: 'Criteria must be an object, got {type}' },
  'criteria.entry': {
    status: 400,
    template: 'For field: {field}, expected an object with "type" and "pattern", got {type}',
  },
  'criteria.no-operator': { status: 400, template: 'Operator not specified for field: {field}' },
  'criteria.operator-not-allowed': {
    status: 400,
    template: 'For field: {field}, operator {operator} not in list of allowed operators: {allowed}',
  },
  'criteria.no-pattern': {
    status: 400,
    template: 'For field: {field}, no pattern specified for operator {operator}',
  },
  'criteria.unknown-operator': {
    status: 400,
    template: 'There is no criteria operator "{operator}"; the operators are {known}',
  },
  'trigger.type-unknown': {
    status: 400,
    template: 'Trigger type with reference "{ref}" doesn\'t exist in the database',
  },
  'trigger.unknown': { status: 400, template: 'There is no trigger of type "{type}" with the parameters {parameters}' },
  'trigger.without-parameters': {
    status: 400,
    template:
      'Trigger "{type}" defined in the rule does not exist in system or it\'s missing required "parameters" attribute',
  },
  'trigger.payload-type': { status: 400, template: 'The payload of a trigger must be an object, got {type}' },
  'trigger.payload': {
    status: 400,
    template:
      'Trigger payload validation failed and validation is enabled, not dispatching a trigger "{trigger}" ({payload}): {cause}',
  },
  'trigger.timer-delta': { status: 400, template: 'The delta of an interval timer must be 1 or more, got {delta}' },
  'trigger.timer-too-long': {
    status: 400,
    template: 'An interval of {delta} {unit} is longer than a timer can wait',
  },
  'trigger.timer-date': { status: 400, template: '"{date}" is not a date at which a timer can fire' },
  'trigger.timer-zone': { status: 400, template: '"{zone}" is not a time zone; expected a name such as Europe/Oslo' },
  'trigger.timer-cron': {
    status: 400,
    template:
      'Invalid value for the field "{field}" of the cron timer: {value}. Expected *, */2, 3, 1-5, 1-5/2, or a list of these; a step cannot be wider than its range',
  },
  'trigger.webhook-url': {
    status: 400,
    template:
      'Webhook url "{url}" cannot be served: it is empty, taken by the generic hook, or has control characters or more than one slash at an end',
  },
  'trigger.reference': { status: 400, template: 'Invalid resource reference: {ref}' },
  'trigger.in-use': {
    status: 409,
    template: 'Trigger "{ref}" is used by the rule "{rule}". First delete the rule or change its trigger.',
  },
  'trigger.webhook-signature': { status: 400, template: 'Parameter "signature.{field}" of the webhook: {text}' },
  'webhook.unknown': { status: 404, template: 'Webhook {hook} not registered with st2' },
  'webhook.no-trigger': { status: 400, template: 'Trigger not specified.' },
  'webhook.not-an-object': { status: 400, template: 'Webhook body needs to be an object, got: {type}' },
  'rule.type-unknown': { status: 400, template: 'There is no rule type "{ref}"; the rule types are {known}' },
  'rule.pack-unknown': { status: 400, template: 'There is no pack "{pack}"' },
  'rule.action-unknown': { status: 400, template: 'Action "{ref}" doesn\'t exist' },
  'rule.correlation': { status: 400, template: 'Invalid correlation of a rule: {reason}' },
  'timer.type': {
    status: 400,
    template: 'Timer type {type} not in supported types - dict_keys([{supported}]).',
  },
  'timer.unit': {
    status: 400,
    template: 'The unit of an interval timer is weeks, days, hours, minutes or seconds, got {unit}',
  },
} as const satisfies Record<string, CatalogueEntry>;
