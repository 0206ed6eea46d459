import type { Requester } from '@switchyard/identity';
import type { Static, TSchema } from '@sinclair/typebox';
import type { EventSink } from '../events/event-stream';
import type { QueryParameters, QueryValues } from '../request/request-target';

export const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

type NamesIn<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Bare}+` ? Bare : Name) | NamesIn<Rest>
  : never;

/** The decoded parameters of a path: `{id}` of `/executions/{id}`. */
export type PathParameters<P extends string> = string extends P
  ? Readonly<Record<string, string>>
  : { readonly [Name in NamesIn<P>]: string };

/** A schema (draft 4 dialect), `any` (parsed by content type, not checked), or `text` (unchanged). */
export type BodyForm = TSchema | 'any' | 'text';

/** The type of a body. */
export type BodyValue<B extends BodyForm> = B extends TSchema ? Static<B> : B extends 'text' ? string : unknown;

/** What an operation returns on success. */
export interface DeclaredResponse {
  readonly status: number;
  /** Schema of the JSON body. Without it there is no body, or one of another type. */
  readonly schema?: object;
  /** Content type of a body that is not JSON; the header of the response has the exact one. */
  readonly type?: string;
}

/** One operation of the API: what it accepts, what it needs, what it returns. */
export interface Route<
  Q extends QueryParameters = QueryParameters,
  P extends string = string,
  B extends BodyForm = BodyForm,
> {
  readonly method: Method;
  /** Without the version: `/executions/{id}`. `{name}` is one segment, `{name+}` the rest of the path, at its end only. */
  readonly path: P;
  /** Additional paths of the route, with the same parameter names. They are not in the OpenAPI document. */
  readonly aliases?: readonly string[];
  /** `executions.get_one`: the operation id in the OpenAPI document, and a label in metrics. */
  readonly operation: string;
  readonly summary: string;
  /**
   * Permission type that the requester needs, such as `execution_view`; or `ANY_USER` or `ADMINISTRATORS`. Without
   * `resource`, it is a general one, such as `execution_list`.
   */
  readonly permission?: string;
  /** The resource on which the requester needs the permission. Only called for users who are not administrators. */
  resource?(
    request: RouteRequest<QueryValues<Q>, PathParameters<P>, BodyValue<B>>,
  ): GuardedResources | Promise<GuardedResources>;
  /** The handler checks the permission itself: only the handler can determine the resource. */
  readonly checksPermission?: boolean;
  /** With permission `ANY_USER`: also with a credential that is restricted to some permissions. */
  readonly forRestricted?: boolean;
  /** The last parameter of the path if it may be a credential. The log masks it, unless it is the id of a record. */
  readonly secretParameter?: string;
  /** No token or key needed. */
  readonly open?: boolean;
  /** Checks credentials of its own kind instead, before the body is read. @returns the requester */
  readonly admit?: (head: RequestHead) => Promise<Requester>;
  /**
   * Finds the verifier of a signature over the body, for requests without a token or an API key. Such requests need no
   * permission. If it returns undefined, the request is refused before its body is read.
   */
  signature?(head: RequestHead, params: PathParameters<P>): Promise<CheckSignature | undefined>;
  /** The route changes nothing although its method is not GET, so it is not in the audit trail. */
  readonly readsOnly?: true;
  /** Set for logins. @returns who tries to log in, and from where, for the audit trail */
  login?(head: RequestHead): LoginSource;
  readonly query?: Q;
  /** Without it, the body is not read. An empty body is `{}`, or '' with `text`. */
  readonly body?: B;
  /** Schema of a body of the form `any`, for the document: the route checks it itself. */
  readonly bodySchema?: object;
  /** Another limit than that of the listener: a smaller one for bodies that are always small, a larger one for large values. */
  readonly maxBodyBytes?: number;
  readonly response?: DeclaredResponse;
  /** Lines in the access log have level debug, for requests that arrive every few seconds. */
  readonly quiet?: boolean;
  handle(
    request: RouteRequest<QueryValues<Q>, PathParameters<P>, BodyValue<B>>,
  ): Promise<RouteResponse> | RouteResponse;
}

/** Checks the body as it was sent, before it is parsed. @throws Fault with status 401 or 403 */
export type CheckSignature = (body: Uint8Array) => Promise<Requester>;

/** The resource of a request, in terms of permissions. */
export interface Guarded {
  /** Named as in the request, because refusals contain it: a name in place of an id would reveal what the id stands
   * for. */
  readonly uid: string;
  /** Further resources whose grants apply, such as the action of an execution. */
  readonly parents?: readonly string[];
  /** Default: the permission of the route. */
  readonly permission?: string;
  /** With permission isolation: only administrators have access, whatever is granted. */
  readonly owner?: string;
  /** The resource is the requester's own, so only restricted credentials need the permission. */
  readonly isOwn?: boolean;
}

/** Undefined if no check is needed here. Several resources are all checked. */
export type GuardedResources = Guarded | readonly Guarded[] | undefined;

/** Instead of a permission: every authenticated user may do it, but not with a restricted credential (see
 * `forRestricted`). */
export const ANY_USER = 'any user';

/** Instead of a permission: for administrators only. */
export const ADMINISTRATORS = 'administrators';

export interface RouteRequest<
  Q = Readonly<Record<string, unknown>>,
  P = Readonly<Record<string, string>>,
  B = unknown,
> {
  readonly method: Method;
  /** Decoded path of the request, without a trailing slash: `/v1/executions`. */
  readonly path: string;
  /** Path and query of the request, not decoded and not masked. */
  readonly url: string;
  readonly operation: string;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** Looks up a header in any case. Multiple values are joined with commas. `svc-…` also finds `st2-…`. */
  header(name: string): string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The values of a header, one for each line in which it was sent. */
  headerValues(name: string): readonly string[];
  readonly requester: Requester;
  readonly requestId: string;
  readonly remoteAddress: string;
  /** Aborted when the client disconnects before the response. Streams have their own signal, on the sink. */
  readonly signal: AbortSignal;
}

/** The part of a request that is known before its parameters and its body are read. */
export type RequestHead = Pick<
  RouteRequest,
  'header' | 'headers' | 'headerValues' | 'method' | 'path' | 'remoteAddress' | 'requestId'
>;

/** A response with at most one of `body` (JSON), `items`, `text`, `bytes` and `stream`. */
export interface RouteResponse {
  readonly status: number;
  readonly body?: unknown;
  /** The elements of a JSON array in batches, for lists that are too large for memory. */
  readonly items?: AsyncIterable<readonly unknown[]>;
  /** Sent unchanged, with the `content-type` in `headers` or text/plain. */
  readonly text?: string;
  /** Sent unchanged, with the `content-type` in `headers` or application/octet-stream. */
  readonly bytes?: Uint8Array;
  /** Sends server-sent events. The response ends when the promise settles. Errors before the first event are normal faults. */
  readonly stream?: (sink: EventSink) => Promise<void>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly Cookie[];
  /** The user who logged in with this request, if only the handler knows it; for the audit trail. */
  readonly loggedIn?: { readonly user: string; readonly method: 'sso' };
}

/** Who tries to log in. A name that was sent proves nothing. */
export interface LoginSource {
  readonly user: string | undefined;
  readonly address: string;
}

export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly maxAgeSeconds: number;
  readonly httpOnly?: boolean;
  /** In place of `api.auth_cookie_same_site`. */
  readonly sameSite?: 'lax' | 'none';
}

/** Files for browsers, which need no credentials. Tried before the routes. @returns undefined for everything else */
export type Site = (request: SiteRequest) => Promise<RouteResponse | undefined>;

export interface SiteRequest {
  /** Without the query, not decoded. */
  readonly path: string;
  header(name: string): string | undefined;
}

/** Routes and their prefixes. With `''` and `/v1`, the version segment is optional. */
export interface Mount {
  readonly prefixes: readonly string[];
  readonly routes: readonly Route[];
}

/**
 * Declares a route with the types of its parameters and its body: `request.query.limit` is a number if it is declared as one,
 * `request.params.id` exists if the path has it, and `request.body` has the type of the schema.
 */
export const route = <
  const Q extends QueryParameters = Record<never, never>,
  const P extends string = string,
  B extends BodyForm = BodyForm,
>(
  definition: Route<Q, P, B>,
): Route => definition;
