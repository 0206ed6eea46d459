export type { Dispatch, DispatchRequest, TraceContext, TriggerName } from './dispatch-request';
