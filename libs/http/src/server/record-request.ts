import type { IncomingMessage } from 'node:http';
import { MS_MICROS } from '@switchyard/base';
import type { AuditTrail, Requester } from '@switchyard/identity';
import { resourceTypeOf, type AuditEntry, type AuditKind, type AuditOutcome } from '@switchyard/model';
import type { Metrics, SpanContext, SpanRecorder } from '@switchyard/telemetry';
import type { RequestHead, Route, RouteResponse } from '../routing/route';

/** What is known about a request by the time it is answered or refused. */
export interface AuditSubject {
  head?: RequestHead;
  requester?: Requester;
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

interface Audited {
  /** Absent if no route was found. */
  readonly route: Route | undefined;
  readonly subject: AuditSubject;
  readonly address: string;
  readonly requestId: string;
  readonly answer: RouteResponse;
}

/** Records a request if the trail keeps such requests. Resolves when it is stored. */
export async function auditRequest(trail: Pick<AuditTrail, 'record'>, audited: Audited): Promise<void> {
  const entry = auditEntryOf(audited);
  if (entry) await trail.record(entry);
}

/** The entry for a request. Undefined for reads without secrets, and for invalid requests that changed nothing. */
export function auditEntryOf({ route, subject, address, requestId, answer }: Audited): AuditEntry | undefined {
  const kind = kindOf(route, subject, answer.status);
  if (kind === undefined) return undefined;
  const login = subject.head && route?.login?.(subject.head);
  const { user = login?.user ?? '', method = 'none' } = answer.loggedIn ?? subject.requester ?? {};
  return {
    kind,
    user: user.slice(0, LONGEST),
    authenticated_by: method,
    address: login?.address ?? address,
    operation: route?.operation ?? 'unknown',
    resource_type: (route?.permission && resourceTypeOf(route.permission)) ?? route?.operation.split('.')[0] ?? '',
    resource: resourceOf(route, subject, answer),
    outcome: outcomeOf(answer.status),
    status: answer.status,
    request_id: requestId,
    changed: kind === 'change' ? changedFields(route, subject.body) : [],
  };
}

const LONGEST = 256;
const MOST_FIELDS = 50;
const UNAUTHENTICATED = 401;
const FORBIDDEN = 403;

function kindOf(route: Route | undefined, { query }: AuditSubject, status: number): AuditKind | undefined {
  if (route?.login) return 'login';
  if (status === UNAUTHENTICATED || status === FORBIDDEN) return 'refusal';
  if (!route) return undefined;
  const isWrong = status >= 400 && status < 500;
  if (route.method !== 'GET' && !route.readsOnly) return isWrong ? undefined : 'change';
  return query?.['show_secrets'] === true && status < 400 ? 'secrets' : undefined;
}

function outcomeOf(status: number): AuditOutcome {
  if (status < 400) return 'succeeded';
  return status < 500 ? 'refused' : 'failed';
}

/** The resource in the path; for a new record, its reference or id. The last parameter of a path may be a
 * credential. */
function resourceOf(route: Route | undefined, { params = {} }: AuditSubject, { status, body }: RouteResponse): string {
  const named = Object.entries(params).filter(([name]) => name !== route?.secretParameter);
  if (named.length > 0) return named.map(([, value]) => value).join('/').slice(0, LONGEST); // oxfmt-ignore
  if (status >= 400 || route?.login || typeof body !== 'object' || body === null) return '';
  const { ref, id } = body as { readonly ref?: unknown; readonly id?: unknown };
  const created = ref ?? id;
  return typeof created === 'string' ? created.slice(0, LONGEST) : '';
}

/** Only names that the schema declares: any other text of a client might be a secret. */
function changedFields(route: Route | undefined, body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  const schema: { readonly properties?: object } | undefined =
    typeof route?.body === 'object' ? route.body : route?.bodySchema;
  const declared = Object.keys(schema?.properties ?? {});
  return declared.filter((name) => Object.hasOwn(body, name)).slice(0, MOST_FIELDS);
}

/** The measurements of a request. */
export interface Observation {
  /** `unknown` if no route was found. */
  readonly operation: string;
  /** The path of the route, such as `/executions/{id}`, or `unknown`. */
  readonly path: string;
  /** Whether the route is requested every few seconds by machines. */
  readonly quiet: boolean;
  readonly method: string;
  readonly status: number;
  readonly durationMs: number;
}

/** Counts and times the requests of a service, except those for health and measurements. */
export function observeRequests(
  metrics: Pick<Metrics, 'count' | 'time'>,
  service: string,
): (observation: Observation) => void {
  return ({ operation, path, quiet, method, status, durationMs }) => {
    if (quiet) return;
    const code = String(status);
    metrics.count('{service}.request.total', { service });
    metrics.count('{service}.request.method.{method}', { service, method });
    metrics.count('{service}.request.path.{path}', { service, path: flatPath(path) });
    metrics.count('{service}.response.status.{code}', { service, code });
    metrics.time('{service}.request', durationMs, { service });
    metrics.count('http_requests', { service, operation, method, code });
    metrics.time('http_request', durationMs, { service, operation });
  };
}

/** `/executions/{id}` becomes `_v1_executions_id`, as in the metrics of StackStorm. */
const flatPath = (path: string): string =>
  path.startsWith('/') ? `/v1${path}`.replace(/[{}+]/g, '').replaceAll('/', '_') : path;

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
