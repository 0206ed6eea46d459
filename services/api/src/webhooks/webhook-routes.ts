import { Type } from '@sinclair/typebox';
import { fault, isPlainObject, type DataLimits } from '@switchyard/base';
import { dataLimits } from '@switchyard/config';
import { pageParameters, readPage, route, type Route, type RouteRequest, jsonBody } from '@switchyard/http';
import type { SignedEvent } from '@switchyard/identity';
import { toUid, type TriggerRecord, compileSchema } from '@switchyard/model';
import { anyObject, triggerAnswer } from '@switchyard/model/resources';
import {
  GENERIC_HOOKS,
  WEBHOOK,
  webhookTag,
  type DispatchRequest,
  type TriggerName,
  webhookSignatureOf,
  webhookSpellings,
} from '@switchyard/triggers';
import type { ApiDependencies } from '../api-dependencies';
import { requestKey } from '../executions/create';
import { textCondition } from '../lists/conditions';
import { listRecords } from '../lists/list-records';
import { listed } from '../lists/listed-schema';
import { pageBudget } from '../lists/page-budget';
import { triggerView } from '../triggers/trigger-views';
import { claimDeliveries, signatureCheck } from './signed-requests';
import { signatureHeader } from './verify-signature';
import { among, visibleRecords, type Visibility } from '../permissions/visible-records';

export const webhookRoutes = (deps: ApiDependencies): Route[] => [listHooks(deps), getHook(deps), sendToHook(deps)];

const listHooks = (deps: ApiDependencies): Route => {
  const { config, store } = deps;
  return route({
    method: 'GET',
    path: '/webhooks',
    operation: 'webhooks.get_all',
    summary: 'The triggers behind webhooks',
    permission: 'webhook_list',
    query: { pack: { type: 'string' }, ...pageParameters },
    response: { status: 200, schema: listed(triggerAnswer) },
    async handle(request) {
      const page = readPage(request, { maxPageSize: config.api.max_page_size });
      const { pack } = request.query;
      const asked = { type: WEBHOOK, ...(pack === undefined ? {} : { pack: textCondition(pack) }) };
      const filter = await visibleRecords(deps, request.requester, visibleHooks, asked);
      const budget = pageBudget(config, request, ({ id }, path) => path.replace(/webhooks$/, `triggers/${String(id)}`));
      return listRecords(store.triggers, { filter, sort: { ref: 1 }, page, budget }, triggerView);
    },
  });
};

/** Grants name the path of a webhook. */
const visibleHooks: Visibility<TriggerRecord> = {
  permission: 'webhook_view',
  matching: (granted) => among('parameters.url', granted.names('webhook').flatMap(webhookSpellings)),
};

const getHook = ({ triggers }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/webhooks/{url+}',
    operation: 'webhooks.get_one',
    summary: 'The trigger behind one webhook',
    permission: 'webhook_view',
    resource: ({ params }) => ({ uid: toUid('webhook', params.url) }),
    response: { status: 200, schema: triggerAnswer },
    async handle({ params }) {
      const url = params.url;
      const [trigger] = await triggers.hooksAt(url);
      if (!trigger) throw fault('webhook.unknown', { hook: url });
      return { status: 200, body: triggerView(trigger) };
    },
  });

/** The payload. Items of a list may be anything. */
const hookBody = Type.Union([anyObject, Type.Array(Type.Unknown())]);

/** 202: the event is stored, and will be processed. */
const ACCEPTED = 202;

const sendToHook = (deps: ApiDependencies): Route =>
  route({
    method: 'POST',
    path: '/webhooks/{hook+}',
    operation: 'webhooks.post',
    summary: 'Send an event',
    permission: 'webhook_send',
    resource: ({ params }) => ({ uid: toUid('webhook', params.hook) }),
    signature: signatureCheck(deps),
    // Any content type that can be parsed; the response repeats the body.
    body: 'any',
    bodySchema: hookBody,
    response: { status: ACCEPTED, schema: hookBody },
    async handle(request) {
      const hook = request.params.hook;
      const { triggers } = deps;
      const body = await webhookBody(request, dataLimits(deps.config));
      const { signedFor } = request.requester;
      const common = { traceContext: { trace_tag: traceTag(hook, request) } };
      const dispatch = async (events: readonly Event[]) =>
        triggers.dispatchAll(events.map((event) => ({ ...event, ...common })));
      const made = await (signedFor
        ? dispatchSigned(deps, { hook, body, request, signedFor }, dispatch)
        : dispatch(await eventsOf(deps, hook, body, request)));
      const instances = made.map(({ _id }) => _id);
      deps.logger.audit('Webhook received.', { hook, instances, user: request.requester.user });
      return { status: ACCEPTED, body };
    },
  });

type Event = Pick<DispatchRequest, 'trigger' | 'found' | 'payload' | 'requestKey'>;

/** The generic hook gets the name of the trigger in its body. */
function generic(body: unknown): Event {
  if (!isPlainObject(body)) throw fault('webhook.not-an-object', { type: 'array' });
  const { trigger, payload } = body;
  if (!trigger) throw fault('webhook.no-trigger');
  // The trigger type defines the payload.
  return { trigger: triggerName(trigger), payload: (payload ?? null) as Event['payload'] & object };
}

function triggerName(trigger: unknown): TriggerName {
  if (typeof trigger === 'string') return trigger;
  const { type, parameters = {} } = isPlainObject(trigger) ? trigger : {};
  if (typeof type === 'string' && isPlainObject(parameters)) return { type, parameters };
  throw fault('trigger.reference', { ref: JSON.stringify(trigger) });
}

/** The events of a request with a token or an API key. */
async function eventsOf(deps: ApiDependencies, hook: string, body: unknown, request: RouteRequest): Promise<Event[]> {
  const events = GENERIC_HOOKS.includes(hook) ? [generic(body)] : await custom(deps, hook, body, request);
  return events.map((event, index) => ({ ...event, ...keyOf(request, hook, index) }));
}

async function custom(
  { triggers }: ApiDependencies,
  hook: string,
  body: unknown,
  request: RouteRequest,
): Promise<Event[]> {
  const found = await triggers.hooksAt(hook);
  if (found.length === 0) throw fault('webhook.unknown', { hook });
  return found.map((trigger) => ({
    trigger: trigger.ref,
    found: trigger,
    payload: payloadOf(trigger, request, body),
  }));
}

interface SignedHook {
  readonly hook: string;
  readonly body: unknown;
  readonly request: RouteRequest;
  readonly signedFor: readonly SignedEvent[];
}

/** Only triggers with a valid signature get the event, and only once. */
async function dispatchSigned<T>(
  deps: ApiDependencies,
  { hook, body, request, signedFor }: SignedHook,
  dispatch: (events: readonly Event[]) => Promise<T>,
): Promise<T> {
  const found = await deps.triggers.hooksAt(hook);
  const claimed = await claimDeliveries(deps, hook, signedFor);
  const events = found.flatMap((trigger) => {
    const { delivery } = claimed.get(trigger.ref) ?? {};
    if (delivery === undefined) return [];
    const payload = payloadOf(trigger, request, body);
    return [{ trigger: trigger.ref, found: trigger, payload, requestKey: `webhook-delivery:${delivery}` }];
  });
  const made = await dispatch(events);
  for (const delivery of claimed.values()) await deps.store.webhookDeliveries.finish(delivery);
  return made;
}

/** A trigger that checks signatures does not pass them on, because they could be used to repeat the request. */
function payloadOf(trigger: TriggerRecord, request: RouteRequest, body: unknown) {
  const signature = webhookSignatureOf(trigger);
  return { ...payloadHeaders(request, signature ? [signatureHeader(signature)] : []), body };
}

const LONGEST_TAG = 500;

const traceTag = (hook: string, { header }: Pick<RouteRequest, 'header'>): string =>
  (header('svc-trace-tag') || webhookTag(hook)).slice(0, LONGEST_TAG);

/** A sender that got no response may repeat the request with the same `Idempotency-Key`. */
function keyOf(request: RouteRequest, hook: string, index: number): Pick<DispatchRequest, 'requestKey'> {
  const key = requestKey(request);
  return key === undefined ? {} : { requestKey: `${key}:webhook:${hook}:${index}` };
}

/** Headers with credentials, or meant only for this API: they are never passed to rules or stored. */
const WITHHELD: readonly string[] = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-auth-token',
  'st2-api-key',
  'svc-api-key',
  'st2-trace-tag',
  'svc-trace-tag',
];

interface PayloadHeaders {
  /** `Content-Type`. */
  readonly headers: Record<string, string>;
  /** `content-type`. */
  readonly headers_lower: Record<string, string>;
}

/** The headers of a request in the form for rules. */
function payloadHeaders(
  { headers, requestId }: Pick<RouteRequest, 'headers' | 'requestId'>,
  alsoWithheld: readonly string[],
): PayloadHeaders {
  const given = Object.entries({ ...headers, 'x-request-id': requestId })
    .map(([name, value]) => [name.toLowerCase(), String(value)] as const)
    .filter(([name]) => !WITHHELD.includes(name) && !alsoWithheld.includes(name));
  return {
    headers: Object.fromEntries(given.map(([name, value]) => [titleCase(name), value])),
    headers_lower: Object.fromEntries(given),
  };
}

const titleCase = (name: string): string => name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());

type Body = Record<string, unknown> | unknown[];

const shape = compileSchema({ type: ['object', 'array'], secret: true });

/**
 * Parses the body of a webhook request. Accepts JSON that is labeled as plain text.
 * @throws Fault `request.body`, `data.limit`, `data.key`, `schema.violated`
 */
async function webhookBody(
  { body, headers }: Pick<RouteRequest, 'body' | 'headers'>,
  limits: DataLimits,
): Promise<Body> {
  const plain = typeof body === 'string' && headers['content-type']?.trim().toLowerCase().startsWith('text/plain');
  return shape.assert(plain ? await jsonBody(body, limits) : body) as Body;
}
