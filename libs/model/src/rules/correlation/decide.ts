import type { Micros } from '@switchyard/base';
import { accumulate } from './accumulate';
import type { Correlation } from './correlation';
import { NO_STATE, type CorrelatedEvent, type CorrelationState, type Decision } from './correlation-state';
import { debounce } from './debounce';
import { throttle } from './throttle';

/**
 * Decides about a match, by the times at which events occurred, so that a second decision about the same match after a
 * crash, or one that comes late, is the first one again.
 * @param now tells how late it is; only a debounce asks
 */
export function decideCorrelation(
  correlation: Correlation,
  state: CorrelationState | undefined,
  event: CorrelatedEvent,
  now: Micros,
): Decision {
  const before = state ?? NO_STATE;
  switch (correlation.name) {
    case 'throttle':
    case 'once_within':
      return throttle(correlation, before, event);
    case 'debounce':
      return debounce(correlation, before, event, now);
    case 'accumulate':
      return accumulate(correlation, before, event);
  }
}

/** How long a state has to be kept after its last change: events may come late. */
export function stateLifeMicros(correlation: Correlation): Micros {
  const span = correlation.name === 'debounce' ? correlation.quietMicros : correlation.windowMicros;
  return 2 * span + LATE_MICROS;
}

const LATE_MICROS = 24 * 60 * 60 * 1e6;
