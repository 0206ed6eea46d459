export { parseCorrelation, type Correlation } from './correlation';
export {
  NO_STATE,
  type CorrelatedEvent,
  type CorrelationState,
  type Decision,
  type PendingEvent,
} from './correlation-state';
export { nextRipe, ripe, settled, taken } from './debounce';
export { decideCorrelation, stateLifeMicros } from './decide';
