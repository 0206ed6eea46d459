import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isPromise } from 'node:util/types';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type SpanContext as SdkContext,
} from '@opentelemetry/api';
import { parseTraceParent, TraceState } from '@opentelemetry/core';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  RandomIdGenerator,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { SECOND_MICROS, SECOND_MS, type Micros } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import type { Logger } from '../logger';
import type { EndedSpan, SpanContext, SpanRecorder } from '../spans/span-recorder';
import { otlpExporter } from './otlp-exporter';

/** Options of `[opentelemetry]`. */
export type SpanOptions = Omit<Config['opentelemetry'], 'enable' | 'service_name'> & { readonly service_name: string };

/** A recorder that exports spans with the SDK of OpenTelemetry. */
export function exportedSpans(options: SpanOptions, logger: Pick<Logger, 'warn' | 'info'>): SpanRecorder {
  const sampler = new TraceIdRatioBasedSampler(options.sample_ratio);
  const ids = new RandomIdGenerator();
  const { record, close } = createSpanExport(options, logger);
  const isChosen = (traceId: string) =>
    sampler.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED;
  return {
    isOn: true,
    read,
    begin(parent, spanId = ids.generateSpanId()) {
      if (parent) return { ...parent, spanId };
      const traceId = ids.generateTraceId();
      return { traceId, spanId, isSampled: isChosen(traceId) };
    },
    ...activeContext(),
    record(span) {
      if (span.context.isSampled) record(span);
    },
    close,
  };
}

const LONGEST_STATE = 512;

function read({ traceparent, tracestate }: Readonly<Record<string, unknown>>): SpanContext | undefined {
  const parsed = typeof traceparent === 'string' ? parseTraceParent(traceparent) : null;
  if (!parsed) return undefined;
  const { traceId, spanId, traceFlags } = parsed;
  const state = typeof tracestate === 'string' ? new TraceState(tracestate).serialize() : '';
  return {
    traceId,
    spanId,
    isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0,
    ...(state === '' || state.length > LONGEST_STATE ? {} : { state }),
  };
}

/**
 * Timers and connections that work leaves behind keep its asynchronous context for ever. What they do after the work has
 * ended does not belong to it.
 */
function activeContext(): Pick<SpanRecorder, 'active' | 'within'> {
  const storage = new AsyncLocalStorage<{ readonly context: SpanContext; isOpen: boolean }>();
  return {
    active() {
      const scope = storage.getStore();
      return scope?.isOpen ? scope.context : undefined;
    },
    within(context, work) {
      if (!context) return work();
      const scope = { context, isOpen: true };
      const end = () => {
        scope.isOpen = false;
      };
      const result = storage.run(scope, work);
      if (isPromise(result)) result.then(end, end);
      else end();
      return result;
    },
  };
}

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const satisfies Record<EndedSpan['kind'], SpanKind>;

const LONGEST_ATTRIBUTE = 512;
const CLOSE_TIMEOUT_MS = 3 * SECOND_MS;
const EXPORT_EVERY_MS = SECOND_MS;
/** Longer than the exporter tries. */
const EXPORT_TIMEOUT_MS = 10 * SECOND_MS;
const LARGEST_BATCH = 512;

function createSpanExport(
  options: SpanOptions,
  logger: Pick<Logger, 'warn' | 'info'>,
): Pick<SpanRecorder, 'record' | 'close'> {
  /** The context of the span that is being made: the SDK asks for its ids. */
  let next: Pick<SpanContext, 'traceId' | 'spanId'> = { traceId: '', spanId: '' };
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes(resourceOf(options.service_name)),
    sampler: new AlwaysOnSampler(),
    idGenerator: { generateTraceId: () => next.traceId, generateSpanId: () => next.spanId },
    spanLimits: { attributeValueLengthLimit: LONGEST_ATTRIBUTE },
    spanProcessors: [
      new BatchSpanProcessor(otlpExporter(options, logger), {
        maxQueueSize: options.queue_size,
        maxExportBatchSize: Math.min(LARGEST_BATCH, options.queue_size),
        scheduledDelayMillis: EXPORT_EVERY_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('switchyard');
  return {
    record({ context, parent, name, kind, start, end, attributes, error }) {
      next = context;
      const within = parent ? trace.setSpanContext(ROOT_CONTEXT, sdkContext(parent)) : ROOT_CONTEXT;
      const about = { kind: KINDS[kind], startTime: hrTime(start), attributes: { ...attributes, 'error.type': error } };
      const span = tracer.startSpan(name, about, within);
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(hrTime(Math.max(start, end)));
    },
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_TIMEOUT_MS)));
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
}

const resourceOf = (name: string) => ({
  'service.name': name,
  'service.namespace': 'switchyard',
  'service.instance.id': randomUUID(),
  'host.name': hostname(),
  'process.pid': process.pid,
});

const sdkContext = ({ traceId, spanId, isSampled, state }: SpanContext): SdkContext => ({
  traceId,
  spanId,
  traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  ...(state === undefined ? {} : { traceState: new TraceState(state) }),
});

const NANOS_PER_MICRO = 1000;

const hrTime = (at: Micros): [number, number] => [
  Math.floor(at / SECOND_MICROS),
  (at % SECOND_MICROS) * NANOS_PER_MICRO,
];
