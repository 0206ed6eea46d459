export { createTraces, type Followed, type Traces } from './traces';
export type { FoundTraces, TraceQuery } from './find-traces';
export type { TraceContext } from './trace-of';
