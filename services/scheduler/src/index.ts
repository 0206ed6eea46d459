export { createScheduler, type SchedulerDeps } from './scheduler';
