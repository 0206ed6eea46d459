import type { ErrorEntry } from './catalogue';

/** Timers, as far as their triggers' own errors do not say it. */
export const timerErrors = {
  'timer.type': {
    status: 400,
    template: 'Timer type {type} not in supported types - dict_keys([{supported}]).',
  },
  'timer.unit': {
    status: 400,
    template: 'The unit of an interval timer is weeks, days, hours, minutes or seconds, got {unit}',
  },
} as const satisfies Record<string, ErrorEntry>;
