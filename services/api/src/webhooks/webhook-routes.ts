import { Type } from '@sinclair/typebox';
import { fault, isPlainObject, type DataLimits } from '@switchyard/base';
import { dataLimits } from '@switchyard/config';
import { pageParameters, readPage, route, type Route, type RouteRequest, jsonBody } from '@switchyard/http';
import { toUid, type TriggerRecord, compileSchema } from '@switchyard/model';
import { anyObject, triggerAnswer } from '@switchyard/model/resources';
import { isOneOf, type Store } from '@switchyard/storage';
import {
  GENERIC_HOOKS,
  WEBHOOK,
  webhookTag,
  type DispatchRequest,
  type TriggerName,
  parametersHash,
  webhookSpellings,
} from '@switchyard/triggers';
import type { ApiDependencies } from '../api-dependencies';
import { requestKey } from '../executions/execution-body';
import { textCondition } from '../lists/conditions';
import { listRecords } from '../lists/list-records';
import { listed } from '../lists/listed-schema';
import { pageBudget } from '../lists/page-budget';
import { triggerView } from '../triggers/trigger-views';
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
  matching: (granted) => among('parameters_hash', granted.names('webhook').flatMap(hashesOf)),
};

const getHook = ({ store }: ApiDependencies): Route =>
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
      const [trigger] = await findHooks(store, url);
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
    // Any content type that can be parsed; the response repeats the body.
    body: 'any',
    bodySchema: hookBody,
    response: { status: ACCEPTED, schema: hookBody },
    async handle(request) {
      const hook = request.params.hook;
      const { triggers } = deps;
      const body = await webhookBody(request, dataLimits(deps.config));
      const events = GENERIC_HOOKS.includes(hook) ? [generic(body)] : await custom(deps, hook, body, request);
      const common = { traceContext: { trace_tag: traceTag(hook, request) } };
      const made = await triggers.dispatchAll(
        events.map((event, index) => ({ ...event, ...common, ...keyOf(request, hook, index) })),
      );
      const instances = made.map(({ _id }) => _id);
      deps.logger.audit('Webhook received.', { hook, instances, user: request.requester.user });
      return { status: ACCEPTED, body };
    },
  });

type Event = Pick<DispatchRequest, 'trigger' | 'payload'>;

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

async function custom(
  { store }: ApiDependencies,
  hook: string,
  body: unknown,
  request: Pick<RouteRequest, 'headers' | 'requestId'>,
): Promise<Event[]> {
  const found = await findHooks(store, hook);
  if (found.length === 0) throw fault('webhook.unknown', { hook });
  const payload = { ...payloadHeaders(request), body };
  return found.map(({ ref }) => ({ trigger: ref, payload }));
}

const LONGEST_TAG = 500;

const traceTag = (hook: string, { header }: Pick<RouteRequest, 'header'>): string =>
  (header('svc-trace-tag') || webhookTag(hook)).slice(0, LONGEST_TAG);

/** A sender that got no response may repeat the request with the same `Idempotency-Key`. */
function keyOf(request: RouteRequest, hook: string, index: number): Pick<DispatchRequest, 'requestKey'> {
  const key = requestKey(request);
  return key === undefined ? {} : { requestKey: `${key}:webhook:${hook}:${index}` };
}

/**
 * Finds the triggers of the rules that listen to a path. Each spelling of a URL is one trigger, and one indexed query
 * finds it by its parameters. So nothing has to be kept in memory, and a hook responds from the moment its rule is
 * stored, on every replica.
 */
async function findHooks({ triggers }: Pick<Store, 'triggers'>, path: string): Promise<TriggerRecord[]> {
  const hashes = hashesOf(path);
  const found = await triggers.list({ filter: { type: WEBHOOK, parameters_hash: isOneOf(hashes) } });
  return found.sort((a, b) => hashes.indexOf(a.parameters_hash) - hashes.indexOf(b.parameters_hash));
}

/** A path has several spellings, each of which is a trigger of its own. */
const hashesOf = (path: string): string[] => webhookSpellings(path).map((url) => parametersHash({ url }));

/** Headers with credentials, or meant only for this API: rules and their records never get them. */
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

/** The headers of a request as rules see them. */
function payloadHeaders({ headers, requestId }: Pick<RouteRequest, 'headers' | 'requestId'>): PayloadHeaders {
  const given = Object.entries({ ...headers, 'x-request-id': requestId })
    .map(([name, value]) => [name.toLowerCase(), String(value)] as const)
    .filter(([name]) => !WITHHELD.includes(name));
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
