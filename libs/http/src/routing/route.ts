import type { Requester } from '@switchyard/identity';
import type { TSchema } from '@sinclair/typebox';
import type { EventSink } from '../events/event-sink';
import type { QueryParameters, QueryValues } from '../request/query-parameter';

export const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** One operation of the interface: what it accepts, what it needs, what it answers. */
export interface Route<Q extends QueryParameters = QueryParameters> {
  readonly method: Method;
  /** Without version: `/executions/{id}`. `{name}` is one segment, `{name+}` (last only) the rest of the path. */
  readonly path: string;
  /** Further paths that answer likewise; the OpenAPI document leaves them out. They use the same parameter names. */
  readonly aliases?: readonly string[];
  /** `executions.get_one`: operation id of the OpenAPI document, name in metrics. */
  readonly operation: string;
  readonly summary: string;
  /** Permission type that the requester needs, such as `execution_view`. */
  readonly permission?: string;
  /** The last parameter of the path when it may be a credential: the log masks it, unless it is the id of a record. */
  readonly secretParameter?: string;
  /** No token or key needed. */
  readonly open?: boolean;
  /** Asks for credentials of its own kind instead, before anything of the body is read. @returns who is asking */
  readonly admit?: (head: RequestHead) => Promise<Requester>;
  readonly query?: Q;
  /**
   * A schema (draft 4 dialect), `any` (parsed by content type, not checked), or `text` (as it was sent). Without it a
   * body is read and dropped. An empty body counts as `{}`, under `text` as ''.
   */
  readonly body?: TSchema | 'any' | 'text';
  /** For bodies that are small by nature: less than the listener takes. */
  readonly maxBodyBytes?: number;
  readonly response?: { readonly status: number; readonly schema: TSchema };
  /** Its access log lines are written at level debug: for what is asked every few seconds. */
  readonly quiet?: boolean;
  handle(request: RouteRequest<QueryValues<Q>>): Promise<RouteResponse> | RouteResponse;
}

export interface RouteRequest<Q = Readonly<Record<string, unknown>>> {
  readonly method: Method;
  /** Decoded path, as it was asked for, without trailing slash: `/v1/executions`. */
  readonly path: string;
  /** Path and query as they came, for logs and links; secrets are not masked in it. */
  readonly url: string;
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Q;
  readonly body: unknown;
  /** By any case; several values are joined by commas. `svc-…` finds `st2-…` too. */
  header(name: string): string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly requester: Requester;
  readonly requestId: string;
  readonly remoteAddress: string;
  /** Aborted when the client goes away before it has its answer. Streams have a signal of their own, on the sink. */
  readonly signal: AbortSignal;
}

/** What is known of a request before its parameters and its body are read. */
export type RequestHead = Pick<RouteRequest, 'header' | 'headers' | 'method' | 'path' | 'remoteAddress' | 'requestId'>;

/** An answer. One of `body` (JSON), `items`, `text`, `bytes`, `stream`, or none of them. */
export interface RouteResponse {
  readonly status: number;
  readonly body?: unknown;
  /** The elements of a JSON array, batch by batch, for what is too large to be in memory as a whole. */
  readonly items?: AsyncIterable<readonly unknown[]>;
  /** Sent as it is; `content-type` from `headers`, else text/plain. */
  readonly text?: string;
  /** Sent as it is; `content-type` from `headers`, else application/octet-stream. */
  readonly bytes?: Uint8Array;
  /** Server-sent events: the response ends when the promise settles. Errors before the first event are ordinary faults. */
  readonly stream?: (sink: EventSink) => Promise<void>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly Cookie[];
}

export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly maxAgeSeconds: number;
  readonly httpOnly?: boolean;
}

/** Routes and where they hang. With the prefixes `''` and `/v1` the version segment is optional. */
export interface Mount {
  readonly prefixes: readonly string[];
  readonly routes: readonly Route[];
}

/** Declares a route with the types of its query parameters: `request.query.limit` is a number when it is declared so. */
export const route = <const Q extends QueryParameters = Record<never, never>>(definition: Route<Q>): Route =>
  definition;
