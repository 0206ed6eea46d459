export * from './statuses';
export * from './task-machine';
export { isIncomplete } from './items-table';
export * from './workflow-machine';
