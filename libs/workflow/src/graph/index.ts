export { composeGraph } from './compose';
export { nodesOnCycles } from './cycles';
export { cleanUpNames } from './compose';
export type { Barrier, Graph, GraphTask, Transition } from './graph';
export { tasksLeadingTo } from './graph';
