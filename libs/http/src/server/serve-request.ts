import type { IncomingMessage, ServerResponse } from 'node:http';
import { fault, isFault, messageOf } from '@switchyard/base';
import type { AccessControl, AuditTrail, Authenticate } from '@switchyard/identity';
import type { Logger, SpanRecorder } from '@switchyard/telemetry';
import { endWhenRefused, eventStream, DEFAULT_BUFFER_BYTES, type OpenStreams } from '../events/event-stream';
import type { DroppedBodies } from '../request/dropped-bodies';
import { maskedPath, pathSegments, queryTexts, requestTarget, type QueryTexts } from '../request/request-target';
import { type OpenBodies, ClientGone } from '../request/read-body';
import { closeUnlessShort, type CorsRequest, faultResponse, sendResponse } from '../response/send-response';
import { sendItems } from '../response/send-items';
import type { CompiledRoute } from '../routing/compiled-route';
import type { Method, RouteResponse, Site } from '../routing/route';
import type { FoundRoute, RouteTree } from '../routing/route-tree';
import { checkUnproven } from './admit-request';
import { openExchange, type Exchange, handleRoute } from './handle-route';
import type { ServerSettings } from './http-settings';
import {
  auditRequest,
  beginRequestSpan,
  type Observation,
  recordRequestSpan,
  type RequestSpan,
} from './record-request';

/** What an application needs to serve requests. */
export interface Serving {
  readonly tree: RouteTree<CompiledRoute>;
  readonly streams: OpenStreams;
  readonly bodies: OpenBodies;
  readonly dropped: DroppedBodies;
  readonly settings: ServerSettings;
  readonly authenticate: Authenticate;
  readonly access: AccessControl;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error' | 'debug'>;
  readonly cors: (request: CorsRequest) => Record<string, string>;
  readonly maskQuery: (query: QueryTexts) => Record<string, string>;
  readonly observe: (observation: Observation) => void;
  readonly spans: SpanRecorder;
  readonly checkResponses: boolean;
  readonly site?: Site;
  /** Nothing is recorded when absent. */
  readonly audit?: Pick<AuditTrail, 'record'>;
}

/** The part of a request that is known before its route runs. */
interface Progress {
  found: FoundRoute<CompiledRoute> | undefined;
  query: QueryTexts;
}

/** Handles one request. It never rejects: each failure becomes a response or closes the connection of this client. */
export async function serveRequest(
  serving: Serving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const exchange = openExchange(request, response, serving);
    const span = beginRequestSpan(serving.spans, request);
    try {
      await serving.spans.within(span?.context, () => answerAndFinish(serving, exchange, span));
    } finally {
      exchange.body.release();
    }
  } catch (error) {
    serving.logger.error(`Failed to respond to a request: ${messageOf(error)}`, { error });
    response.destroy();
  }
}

async function answerAndFinish(serving: Serving, exchange: Exchange, span: RequestSpan | undefined): Promise<void> {
  const { request } = exchange;
  const progress: Progress = { found: undefined, query: {} };
  let answer: RouteResponse;
  try {
    answer = request.method === 'OPTIONS' ? { status: 200 } : await answerOf(serving, exchange, progress);
  } catch (error) {
    answer = failure(serving, exchange, error);
  }
  await audited(serving, exchange, progress, answer);
  closeUnlessShort(exchange, serving.settings.maxBodyBytes);
  serving.dropped.drop(request);
  const bytes = await deliverOrFail(serving, exchange, answer);
  finish(serving, exchange, { ...progress, span }, bytes);
}

/** A change is recorded before it is answered. Refusals of requests without a route are recorded as well. */
async function audited(
  { audit }: Serving,
  { request, requestId, subject }: Exchange,
  { found }: Progress,
  answer: RouteResponse,
): Promise<void> {
  if (!audit) return;
  const address = request.socket.remoteAddress ?? '';
  await auditRequest(audit, { route: found?.target.route, subject, address, requestId, answer });
}

async function answerOf(serving: Serving, exchange: Exchange, progress: Progress): Promise<RouteResponse> {
  const { method, url = '/' } = exchange.request;
  const { rawPath, rawQuery } = requestTarget(url);
  const segments = pathSegments(rawPath);
  const searched = (exchange.isHead ? 'GET' : method) as Method;
  progress.found = serving.tree.find(searched, segments);
  progress.query = queryTexts(rawQuery);
  logStart(
    serving,
    exchange,
    maskedPath(rawPath, (each) => serving.tree.find(each, segments)),
    progress,
  );
  const { unproven } = serving.settings;
  if (unproven) checkUnproven(unproven, exchange.request, progress.found?.target.route);
  const page = searched === 'GET' ? await serving.site?.(siteRequest(exchange, rawPath)) : undefined;
  if (page) return page;
  if (!progress.found) throw fault('request.not-found');
  return handleRoute(serving, exchange, progress.found, { path: `/${segments.join('/')}`, query: progress.query });
}

const siteRequest = ({ request: { headers } }: Exchange, path: string) => ({
  path,
  header: (name: string) => headers[name]?.toString(),
});

function logStart({ logger, maskQuery }: Serving, { request, requestId }: Exchange, path: string, progress: Progress) {
  const level = progress.found?.target.route.quiet ? 'debug' : 'info';
  logger[level](`${requestId} - ${request.method ?? ''} ${path}`, {
    query: maskQuery(progress.query),
    remote_address: request.socket.remoteAddress,
  });
}

/** Only used in the log and in metrics, as in nginx. */
const CLIENT_GONE = 499;

function failure({ logger }: Serving, { requestId }: Exchange, error: unknown): RouteResponse {
  if (error instanceof ClientGone) {
    logger.debug(`${requestId} - ${error.message}`);
    return { status: CLIENT_GONE };
  }
  const answer = faultResponse(error);
  if (answer.status >= 500) logger.error(`${requestId} - ${messageOf(error)}`, { error, cause: causeOf(error) });
  return answer;
}

const causeOf = (error: unknown): unknown => (isFault(error) ? error.cause : undefined);

/** A response that cannot be written becomes a 500, unless a part was already sent. */
async function deliverOrFail(serving: Serving, exchange: Exchange, answer: RouteResponse): Promise<number> {
  try {
    return await deliver(serving, exchange, answer);
  } catch (error) {
    if (exchange.response.headersSent) throw error;
    return deliver(serving, exchange, failure(serving, exchange, error));
  }
}

const broken =
  ({ logger }: Serving, { requestId }: Exchange) =>
  (error: unknown): void =>
    logger.error(`${requestId} - aborted a response: ${messageOf(error)}`, { error });

/** @returns the number of bytes of the body that were sent, 0 for streams */
async function deliver(serving: Serving, exchange: Exchange, answer: RouteResponse): Promise<number> {
  const { response, isHead } = exchange;
  if (response.destroyed) {
    response.statusCode = answer.status;
    return 0;
  }
  if (answer.items) {
    const failing = { onFailure: broken(serving, exchange), onUnreadable: unreadable(serving, exchange) };
    return sendItems(response, answer, { isHead, ...failing });
  }
  if (!answer.stream) return sendResponse(response, answer, isHead, unreadable(serving, exchange));
  if (isHead)
    return sendResponse(
      response,
      { status: 200, headers: { 'Content-Type': 'text/event-stream; charset=UTF-8' } },
      true,
      unreadable(serving, exchange),
    );
  await deliverStream(serving, exchange, answer.stream);
  return 0;
}

const unreadable =
  ({ logger }: Serving, { requestId }: Exchange) =>
  (reason: string): void =>
    logger.error(`${requestId} - a part of the response could not be serialized: ${reason}`);

async function deliverStream(
  serving: Serving,
  exchange: Exchange,
  run: NonNullable<RouteResponse['stream']>,
): Promise<void> {
  const { logger, settings } = serving;
  const stream = eventStream(exchange.response, {
    heartbeatMs: settings.heartbeatMs,
    bufferBytes: DEFAULT_BUFFER_BYTES,
    onDropped: () => logger.warn(`${exchange.requestId} - closed an event stream: its reader was too slow`),
  });
  serving.streams.add(stream);
  if (exchange.checkAgain) endWhenRefused(stream, exchange.checkAgain, settings.heartbeatMs);
  try {
    await run(stream);
    stream.open();
    stream.end();
  } catch (error) {
    const answer = failure(serving, exchange, error);
    if (stream.opened || exchange.response.destroyed) stream.end('error: the stream failed');
    else await sendResponse(exchange.response, answer, false, unreadable(serving, exchange));
  }
}

interface Finished extends Progress {
  readonly span: RequestSpan | undefined;
}

function finish(
  { logger, observe, spans }: Serving,
  exchange: Exchange,
  { found, span }: Finished,
  bytes: number,
): void {
  const { request, response, requestId, startedMs } = exchange;
  const durationMs = performance.now() - startedMs;
  const route = found?.target.route;
  const quiet = route?.quiet ?? false;
  logger[quiet ? 'debug' : 'info'](`${requestId} - ${response.statusCode} ${bytes} ${durationMs.toFixed(3)}ms`);
  const { method = '' } = request;
  const { operation = 'unknown', path = 'unknown' } = route ?? {};
  const status = response.statusCode;
  observe({ operation, path, quiet, method, status, durationMs });
  if (span && route && !quiet) recordRequestSpan(spans, span, { route, requestId, method, status, durationMs });
}
