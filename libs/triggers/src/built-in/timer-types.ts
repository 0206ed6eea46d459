import { CRON_TIMER, DATE_TIMER, INTERVAL_TIMER } from '../names';
import type { BuiltInType } from './built-in-type';

const payload_schema = {
  type: 'object',
  properties: {
    executed_at: { type: 'string', format: 'date-time', default: '2014-07-30 05:04:24.578325' },
    schedule: { type: 'object', default: { delta: 30, units: 'seconds' } },
  },
};

/** A field of a cron timer: a number within bounds, or a text of the cron syntax. */
const field = (minimum?: number, maximum?: number) => ({
  anyOf: [{ type: 'string' }, { type: 'integer' }],
  ...(minimum === undefined ? {} : { minimum, maximum }),
});

const parameters = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties: { timezone: { type: 'string' }, ...properties },
  additionalProperties: false,
});

export const timerTypes: readonly BuiltInType[] = [
  {
    ref: INTERVAL_TIMER,
    description: 'Fires again and again, with the same time in between.',
    payload_schema,
    parameters_schema: parameters({
      unit: { enum: ['weeks', 'days', 'hours', 'minutes', 'seconds'], required: true },
      delta: { type: 'integer', required: true },
    }),
  },
  {
    ref: DATE_TIMER,
    description: 'Fires once, at a date.',
    payload_schema,
    parameters_schema: parameters({ date: { type: 'string', format: 'date-time', required: true } }),
  },
  {
    ref: CRON_TIMER,
    description: 'Fires whenever the time fits every field, as cron does.',
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
