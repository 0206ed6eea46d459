import type { TriggerInstanceRecord } from '@switchyard/model';

/** Which trigger: its reference, or its type and parameters. */
export type TriggerName = string | { readonly type: string; readonly parameters?: Readonly<Record<string, unknown>> };

export interface TraceContext {
  /** An existing trace. */
  readonly id_?: string;
  /** Starts a new one. */
  readonly trace_tag?: string;
}

/** Something that has happened. */
export interface DispatchRequest {
  readonly trigger: TriggerName;
  readonly payload?: Readonly<Record<string, unknown>> | null;
  readonly traceContext?: TraceContext | null;
  /** A second dispatch with the same key finds the first instance. */
  readonly requestKey?: string;
  /** False for what the system itself dispatches; otherwise the payload is checked as the configuration says. */
  readonly validate?: boolean;
}

/**
 * Stores an instance of a trigger and tells the rules engine. Once it resolves the instance cannot be lost.
 * @throws Fault `trigger.payload` and others when validation is on and the trigger or the payload is not right
 */
export type Dispatch = (request: DispatchRequest) => Promise<TriggerInstanceRecord>;
