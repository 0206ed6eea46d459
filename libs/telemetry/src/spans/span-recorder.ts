import { createHash } from 'node:crypto';
import type { Clock, Micros } from '@switchyard/base';

/** The place of a span of OpenTelemetry, as the headers of W3C Trace Context carry it. */
export interface SpanContext {
  /** 32 hexadecimal digits, the same for all spans that belong together. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whether these spans are exported. Decided once, where the first of them begins. */
  readonly isSampled: boolean;
  /** The value of `tracestate`. */
  readonly state?: string | undefined;
}

/** A context in the form of headers, and of fields of records. */
export interface SpanCarrier {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** A piece of work that has ended. */
export interface EndedSpan {
  readonly context: SpanContext;
  readonly parent?: SpanContext | undefined;
  /** From a small set, such as names of routes and actions. */
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'producer' | 'consumer';
  readonly start: Micros;
  readonly end: Micros;
  /** Never parameters, results or texts of clients, which may be secret. */
  readonly attributes: SpanAttributes;
  /** The type of the error with which it ended. */
  readonly error?: string | undefined;
}

export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Records spans of OpenTelemetry and exports them in the background. Calls never throw or wait.
 *
 * 1. A span is recorded once it has ended, with an id that was known before. So nothing is kept in memory while work is in
 *    progress, and work may end in another process than the one in which it began.
 * 2. Stored records carry contexts; messages do not, because they may be lost or repeated.
 */
export interface SpanRecorder {
  readonly isOn: boolean;
  /** Reads `traceparent` and `tracestate` from headers or from a record. Undefined if they are missing or invalid. */
  read(carrier: Readonly<Record<string, unknown>>): SpanContext | undefined;
  /** A context for a new span. Undefined while OpenTelemetry is off. @param spanId by default a random one */
  begin(parent: SpanContext | undefined, spanId?: string): SpanContext | undefined;
  /** The context of the work in progress. */
  active(): SpanContext | undefined;
  /** Makes a context the active one until the work has ended, including what it waits for. */
  within<T>(context: SpanContext | undefined, work: () => T): T;
  record(span: EndedSpan): void;
  /** Exports what is waiting, for some seconds at most. */
  close(): Promise<void>;
}

/** While OpenTelemetry is off. */
export const noSpans: SpanRecorder = {
  isOn: false,
  read: () => undefined,
  begin: () => undefined,
  active: () => undefined,
  within: (_context, work) => work(),
  record: () => undefined,
  close: () => Promise.resolve(),
};

const SPAN_ID_DIGITS = 16;

/** The id of a span, from what it is about. Every process computes the same one. */
export const spanIdOf = (subject: string): string =>
  createHash('sha256').update(subject).digest('hex').slice(0, SPAN_ID_DIGITS);

export const carrierOf = ({ traceId, spanId, isSampled, state }: SpanContext): SpanCarrier => ({
  traceparent: `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`,
  ...(state === undefined ? {} : { tracestate: state }),
});

export interface SpanStart extends Pick<EndedSpan, 'name' | 'kind' | 'attributes'> {
  /** By default the active context. */
  readonly parent?: SpanContext | undefined;
}

/** Records work as a span, whose context is active meanwhile. */
export async function inSpan<T>(
  { spans, clock }: { readonly spans: SpanRecorder; readonly clock: Pick<Clock, 'nowMicros'> },
  { parent = spans.active(), ...about }: SpanStart,
  work: () => Promise<T>,
): Promise<T> {
  const context = spans.begin(parent);
  if (!context) return work();
  const start = clock.nowMicros();
  const ended = (error?: string) => spans.record({ ...about, context, parent, start, end: clock.nowMicros(), error });
  try {
    const result = await spans.within(context, work);
    ended();
    return result;
  } catch (error) {
    ended(error instanceof Error ? error.name : 'Error');
    throw error;
  }
}
