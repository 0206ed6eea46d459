import type { AuditTrail, Requester } from '@switchyard/identity';
import { resourceTypeOf, type AuditEntry, type AuditKind, type AuditOutcome } from '@switchyard/model';
import type { RequestHead, Route, RouteResponse } from '../routing/route';

/** What became known of a request before it was answered or refused. */
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

/** The entry for a request. Undefined for reads without secrets, and for requests that were wrong and changed nothing. */
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

/** What the path names; for a new record, its reference or id. The last parameter of a path may be a credential. */
function resourceOf(route: Route | undefined, { params = {} }: AuditSubject, { status, body }: RouteResponse): string {
  const named = Object.entries(params).filter(([name]) => name !== route?.secretParameter);
  if (named.length > 0) return named.map(([, value]) => value).join('/').slice(0, LONGEST); // prettier-ignore
  if (status >= 400 || route?.login || typeof body !== 'object' || body === null) return '';
  const { ref, id } = body as { readonly ref?: unknown; readonly id?: unknown };
  const created = ref ?? id;
  return typeof created === 'string' ? created.slice(0, LONGEST) : '';
}

/** Only names that the schema declares: any other text of a client might be a secret. */
function changedFields(route: Route | undefined, body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  const schema = (typeof route?.body === 'object' ? route.body : route?.bodySchema) as
    { readonly properties?: object } | undefined;
  const declared = Object.keys(schema?.properties ?? {});
  return declared.filter((name) => Object.hasOwn(body, name)).slice(0, MOST_FIELDS);
}
