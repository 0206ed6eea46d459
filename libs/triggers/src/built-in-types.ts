import {
  ACTION_TRIGGER,
  FILE_WRITTEN,
  INQUIRY_TRIGGER,
  KEY_CREATE,
  KEY_DELETE,
  KEY_UPDATE,
  KEY_VALUE_CHANGE,
  NOTIFY_TRIGGER,
  SENSOR_EXIT,
  SENSOR_SPAWN,
  WEBHOOK,
  CRON_TIMER,
  DATE_TIMER,
  INTERVAL_TIMER,
} from './trigger-record';
import { webhookSignatureSchema } from './webhooks';

/**
 * The built-in trigger types.
 * @param actionTrigger whether to include the trigger for finished executions (`action_sensor.enable`)
 */
export const builtInTypes = (actionTrigger: boolean): readonly BuiltInType[] =>
  [...internalTypes, webhookType, ...timerTypes].filter(({ ref }) => actionTrigger || ref !== ACTION_TRIGGER);

/** A built-in trigger type. All of them belong to the pack `core`. */
export interface BuiltInType {
  readonly ref: string;
  readonly description: string;
  readonly payload_schema: Readonly<Record<string, unknown>>;
  /** When absent, the type has exactly one trigger, named like the type. */
  readonly parameters_schema?: Readonly<Record<string, unknown>>;
}

/** A payload with these members, each of any type. */
const holding = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, {}])),
});

const needed = (description: string) => ({ type: 'string', description, required: true });

const ofSensor = (last: Record<string, unknown>) => ({
  type: 'object',
  properties: {
    ref: { type: 'string', description: 'Reference of the sensor' },
    id: { type: 'string', description: 'Name of its class' },
    timestamp: { type: 'integer', description: 'Seconds since the epoch' },
    pid: { type: 'integer' },
    ...last,
  },
});

/** Types for events of the system itself. */
const internalTypes: readonly BuiltInType[] = [
  {
    ref: ACTION_TRIGGER,
    description: 'An execution has finished.',
    payload_schema: holding(
      'execution_id',
      'status',
      'start_timestamp',
      'action_name',
      'action_ref',
      'runner_ref',
      'parameters',
      'result',
    ),
  },
  {
    ref: NOTIFY_TRIGGER,
    description: 'A notification about an execution is due.',
    payload_schema: holding(
      'execution_id',
      'status',
      'start_timestamp',
      'end_timestamp',
      'action_ref',
      'runner_ref',
      'channel',
      'route',
      'message',
      'data',
    ),
  },
  {
    ref: FILE_WRITTEN,
    description: 'A data file of an action was written.',
    payload_schema: holding('ref', 'file_path', 'host_info'),
  },
  {
    ref: INQUIRY_TRIGGER,
    description: 'An execution is waiting for a response.',
    payload_schema: {
      type: 'object',
      properties: {
        id: needed('Id of the waiting execution'),
        route: needed('Where to ask the question'),
      },
      additionalProperties: false,
    },
  },
  {
    ref: SENSOR_SPAWN,
    description: 'A sensor process was started.',
    payload_schema: ofSensor({ cmd: { type: 'string', description: 'Command line' } }),
  },
  {
    ref: SENSOR_EXIT,
    description: 'A sensor process exited unexpectedly.',
    payload_schema: ofSensor({ exit_code: { type: 'integer' } }),
  },
  { ref: KEY_CREATE, description: 'A datastore item was created.', payload_schema: holding('object') },
  { ref: KEY_UPDATE, description: 'A datastore item was written.', payload_schema: holding('object') },
  {
    ref: KEY_VALUE_CHANGE,
    description: 'The value of a datastore item changed.',
    payload_schema: holding('old_object', 'new_object'),
  },
  { ref: KEY_DELETE, description: 'A datastore item was deleted.', payload_schema: holding('object') },
];

const webhookType: BuiltInType = {
  ref: WEBHOOK,
  description: 'The API received a request for the webhook URL.',
  payload_schema: {
    type: 'object',
    properties: {
      headers: { type: 'object' },
      headers_lower: { type: 'object' },
      body: { anyOf: [{ type: 'array' }, { type: 'object' }] },
    },
  },
  parameters_schema: {
    type: 'object',
    properties: { url: { type: 'string', required: true }, signature: webhookSignatureSchema },
    additionalProperties: false,
  },
};

const payload_schema = {
  type: 'object',
  properties: {
    executed_at: { type: 'string', format: 'date-time', default: '2014-07-30 05:04:24.578325' },
    schedule: { type: 'object', default: { delta: 30, units: 'seconds' } },
  },
};

/** A field of a cron timer: a number within bounds, or text in cron syntax. */
const field = (minimum?: number, maximum?: number) => ({
  anyOf: [{ type: 'string' }, { type: 'integer' }],
  ...(minimum === undefined ? {} : { minimum, maximum }),
});

const parameters = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties: { timezone: { type: 'string' }, ...properties },
  additionalProperties: false,
});

const timerTypes: readonly BuiltInType[] = [
  {
    ref: INTERVAL_TIMER,
    description: 'Fires repeatedly at a fixed interval.',
    payload_schema,
    parameters_schema: parameters({
      unit: { enum: ['weeks', 'days', 'hours', 'minutes', 'seconds'], required: true },
      delta: { type: 'integer', required: true },
    }),
  },
  {
    ref: DATE_TIMER,
    description: 'Fires once at a given date.',
    payload_schema,
    parameters_schema: parameters({ date: { type: 'string', format: 'date-time', required: true } }),
  },
  {
    ref: CRON_TIMER,
    description: 'Fires whenever the time matches every field, like cron.',
    payload_schema,
    parameters_schema: parameters({
      year: field(),
      month: field(1, 12),
      day: field(1, 31),
      week: field(1, 53),
      day_of_week: field(0, 6),
      hour: field(0, 23),
      minute: field(0, 59),
      second: field(0, 59),
    }),
  },
];
