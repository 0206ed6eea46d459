export { composeGraph } from './compose';
export { nodesOnCycles } from './cycles';
export { cleanUpNames } from './arrows';
export type { Barrier, Graph, GraphTask, Transition } from './graph';
export { tasksLeadingTo } from './leading';
