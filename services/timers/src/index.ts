export { createTimers, type TimersDeps } from './timers';
