import type { IncomingMessage } from 'node:http';
import { MS_MICROS } from '@switchyard/base';
import type { SpanContext, SpanRecorder } from '@switchyard/telemetry';
import type { Route } from '../routing/route';

/** The span of OpenTelemetry of one request. */
export interface RequestSpan {
  readonly context: SpanContext;
  /** The span of the caller. */
  readonly parent: SpanContext | undefined;
}

/** Undefined while OpenTelemetry is off. */
export function beginRequestSpan(spans: SpanRecorder, { headers }: IncomingMessage): RequestSpan | undefined {
  const parent = spans.read(headers);
  const context = spans.begin(parent);
  return context && { context, parent };
}

interface Answered {
  readonly route: Route;
  readonly requestId: string;
  readonly method: string;
  readonly status: number;
  readonly durationMs: number;
}

const SERVER_ERROR = 500;

/** Records a request by the path of its route: paths and queries of clients may contain secrets. */
export function recordRequestSpan(
  spans: SpanRecorder,
  { context, parent }: RequestSpan,
  { route, requestId, method, status, durationMs }: Answered,
): void {
  const end = Date.now() * MS_MICROS;
  spans.record({
    ...{ context, parent, name: `${method} ${route.path}`, kind: 'server' },
    start: end - Math.round(durationMs * MS_MICROS),
    end,
    attributes: {
      'http.request.method': method,
      'http.route': route.path,
      'http.response.status_code': status,
      'svc.operation': route.operation,
      'svc.request.id': requestId,
    },
    error: status >= SERVER_ERROR ? String(status) : undefined,
  });
}
