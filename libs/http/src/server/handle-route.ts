import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fault, isFault } from '@switchyard/base';
import { hasCredential, TOKEN_COOKIE, type CredentialSources, type Identity } from '@switchyard/identity';
import type { BodyShare, OpenBodies } from '../request/read-body';
import type { QueryTexts } from '../request/request-target';
import { setCookie, type CorsRequest } from '../response/send-response';
import type { CompiledRoute } from '../routing/compiled-route';
import type { CheckSignature, Method, RequestHead, Route, RouteRequest, RouteResponse } from '../routing/route';
import type { FoundRoute } from '../routing/route-tree';
import { authoriseRequest, authoriseRoute, isFromForeignSite, refuseForeignSite } from './admit-request';
import type { AuditSubject } from './record-request';
import type { Serving } from './serve-request';

interface Place {
  readonly path: string;
  readonly query: QueryTexts;
}

const NOBODY: Identity = { requester: { user: '', method: 'none', location: 'none', isAdmin: false } };

/** Authenticates, authorises, reads parameters and body, and runs the route, in the order that clients expect. */
export async function handleRoute(
  serving: Serving,
  exchange: Exchange,
  { target, params }: FoundRoute<CompiledRoute>,
  place: Place,
): Promise<RouteResponse> {
  const { route } = target;
  const header = headerReader(exchange.request);
  const head = { ...facts(exchange, route.operation), path: place.path, header };
  const { subject } = exchange;
  Object.assign(subject, { head, params });
  const given = sources(exchange.request, head, place.query, serving.settings);
  refuseForeignSite(exchange.request, given, serving.settings.allowedOrigins);
  const checkSignature = await signatureOf(serving, route, { head, params, given });
  if (checkSignature) return handleSigned(serving, exchange, target, { head, params, place, checkSignature });
  const identity = await identityOf(serving, route, head, given);
  const { requester } = identity;
  subject.requester = requester;
  await authoriseRoute(serving.access, route, requester);
  const query = target.readQuery(place.query);
  subject.query = query;
  const body = await target.readBody(exchange.request, exchange.body);
  subject.body = body;
  const request = { ...head, params, query, body, requester };
  await authoriseRequest(serving.access, route, request);
  const answer = await route.handle(request);
  if (answer.stream) {
    exchange.checkAgain = async () => {
      const { requester: now } = await identityOf(serving, route, head, given);
      await authoriseRoute(serving.access, route, now);
      await authoriseRequest(serving.access, route, { ...request, requester: now });
    };
  }
  setCookies(serving, exchange, identity, answer);
  return serving.checkResponses ? target.checkAnswer(answer, body) : answer;
}

async function identityOf(
  { authenticate }: Serving,
  { open, admit }: Route,
  head: RequestHead,
  given: CredentialSources,
): Promise<Identity> {
  if (admit) return { requester: await admit(head) };
  return open ? NOBODY : authenticate(given);
}

type Head = Omit<RouteRequest, 'params' | 'query' | 'body' | 'requester'>;
type Params = RouteRequest['params'];

/** The verifier of a signature in place of a credential. Undefined where no credentials are needed. */
async function signatureOf(
  { settings }: Serving,
  route: Route,
  { head, params, given }: { head: Head; params: Params; given: CredentialSources },
): Promise<CheckSignature | undefined> {
  if (!route.signature || settings.unproven || hasCredential(given)) return undefined;
  return route.signature(head, params);
}

interface Signed {
  readonly head: Head;
  readonly params: Params;
  readonly place: Place;
  readonly checkSignature: CheckSignature;
}

async function handleSigned(
  { checkResponses }: Serving,
  exchange: Exchange,
  { route, readBody, readQuery, checkAnswer }: CompiledRoute,
  { head, params, place, checkSignature }: Signed,
): Promise<RouteResponse> {
  const { subject } = exchange;
  const body = await readBody(exchange.request, exchange.body, async (bytes) => {
    subject.requester = await checkSignature(bytes);
  }).catch((error: unknown) => {
    throw subject.requester || !tellsOfBody(error) ? error : fault('auth.bad-signature', {}, { cause: error });
  });
  const { requester } = subject;
  if (!requester) throw fault('auth.bad-signature');
  subject.body = body;
  const query = readQuery(place.query);
  subject.query = query;
  const answer = await route.handle({ ...head, params, query, body, requester });
  return checkResponses ? checkAnswer(answer, body) : answer;
}

/** A caller without a valid proof must not learn that the body was examined. */
const tellsOfBody = (error: unknown): boolean => isFault(error) && error.code.startsWith('request.body');

function facts({ request, requestId, signal }: Exchange, operation: string) {
  return {
    operation,
    requestId,
    signal,
    method: (request.method === 'HEAD' ? 'GET' : request.method) as Method,
    url: request.url ?? '/',
    headers: request.headers as RouteRequest['headers'],
    headerValues: (name: string) => request.headersDistinct[name.toLowerCase()] ?? [],
    remoteAddress: request.socket.remoteAddress ?? '',
  };
}

type HeaderReader = RouteRequest['header'];

function headerReader({ headers }: IncomingMessage): HeaderReader {
  const read = (name: string) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(',') : value;
  };
  return (name) => {
    const lower = name.toLowerCase();
    return read(lower) ?? (lower.startsWith('svc-') ? read(`st2-${lower.slice(4)}`) : undefined);
  };
}

const sources = (
  request: IncomingMessage,
  head: RequestHead,
  query: QueryTexts,
  { clientAddress }: Serving['settings'],
): CredentialSources => ({
  header: head.header,
  query: (name) => query[name],
  cookie: (name) => requestCookie(request.headers.cookie, name),
  address: () => clientAddress(head),
});

/** The value of a cookie in the `Cookie` header of a request. */
export function requestCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  for (const part of header.split(';')) {
    const equals = part.indexOf('=');
    if (part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim();
  }
  return undefined;
}

function setCookies(
  { settings }: Serving,
  { request, response }: Exchange,
  { cookie }: Identity,
  answer: RouteResponse,
): void {
  // A link with a token in it must not log the user in as somebody else.
  const own =
    cookie && !isFromForeignSite(request)
      ? [{ name: TOKEN_COOKIE, value: encodeURIComponent(cookie.token), maxAgeSeconds: cookie.maxAgeSeconds }]
      : [];
  const cookies = [...own, ...(answer.cookies ?? [])].map((each) => setCookie(each, settings.cookie));
  if (cookies.length > 0) response.setHeader('Set-Cookie', cookies);
}

/** One request and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly isHead: boolean;
  readonly startedMs: number;
  readonly body: BodyShare;
  /** For the audit trail. */
  readonly subject: AuditSubject;
  /** Aborted when the client disconnects before the response. */
  readonly signal: AbortSignal;
  /** Checks credential and permissions again while a stream of events is open. */
  checkAgain?: () => Promise<void>;
}

/** A request id that a client may choose: printable characters, of limited length. */
const OWN_ID = /^[\x21-\x7e]{1,128}$/;

interface Opening {
  readonly cors: (request: CorsRequest) => Record<string, string>;
  readonly bodies: OpenBodies;
}

/** Sets the headers that all responses have. */
export function openExchange(request: IncomingMessage, response: ServerResponse, { cors, bodies }: Opening): Exchange {
  const { origin, 'access-control-request-headers': asked, 'x-request-id': own } = request.headers;
  const requestId = typeof own === 'string' && OWN_ID.test(own) ? own : randomUUID();
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
  for (const [name, value] of Object.entries(cors({ origin, asked }))) response.setHeader(name, value);
  response.setHeader('X-Request-ID', requestId);
  const abort = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) abort.abort();
  });
  const isHead = request.method === 'HEAD';
  const body = bodies.open(request.socket.remoteAddress ?? '');
  return {
    request,
    response,
    requestId,
    isHead,
    startedMs: performance.now(),
    signal: abort.signal,
    body,
    subject: {},
  };
}

/** Headers of all responses, which routes may replace. Responses are data and must not be framed, cached or sniffed. */
const securityHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};
