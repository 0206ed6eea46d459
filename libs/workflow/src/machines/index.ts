export * from './statuses';
export * from './task-machine';
export { isIncomplete } from './items-suffix';
export * from './workflow-machine';
