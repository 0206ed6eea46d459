import { fault, type DataLimits, isFault, isPlainObject, parseBoundedJson } from '@switchyard/base';
import { dataLimits } from '@switchyard/config';
import type { ExecutionRequest } from '@switchyard/executions';
import {
  type Requester,
  route,
  type Route,
  type RouteRequest,
  secretsShown,
  showSecretsParameter,
} from '@switchyard/http';
import { notifyWithRoutes, pythonTypeName } from '@switchyard/model';
import { executionAnswer } from '@switchyard/model/resources';
import type { ApiDependencies } from '../api-dependencies';
import { uidOf } from '../permissions/guarded-record';
import { executionBody, type ExecutionBody } from './execution-body';

export const createExecutionRoute = ({ config, executions, logger }: ApiDependencies): Route =>
  route({
    method: 'POST',
    path: '/executions',
    operation: 'executions.create',
    summary: 'Run an action',
    permission: 'action_execute',
    resource: ({ body }) => ({ uid: uidOf('action', body.action) }),
    query: showSecretsParameter,
    body: executionBody,
    response: { status: 201, schema: executionAnswer },
    async handle(request) {
      const asked = executionRequest(request, dataLimits(config));
      const record = await executions.request(asked);
      if (record.action_ref !== asked.action) throw fault('execution.request-key-taken', { ref: record.action_ref });
      logger.audit('Execution requested.', {
        execution_id: record._id,
        action: record.action_ref,
        user: asked.user,
        requester: request.requester.user,
      });
      const showSecrets = secretsShown(request, config);
      return { status: 201, body: await executions.view.execution(record, { showSecrets }) };
    },
  });

function executionRequest(
  request: Pick<RouteRequest<unknown, unknown, ExecutionBody>, 'body' | 'header' | 'requester'>,
  limits: DataLimits,
): ExecutionRequest {
  const { action, user, context, notify, parameters, callback, delay, priority, pool, idempotent, result } =
    request.body;
  const key = requestKey(request);
  const own = callerContext(context, request.header('svc-context'), limits);
  // It runs as the user of the parent, and is shown with it.
  if (own['parent'] && !request.requester.isAdmin) throw fault('execution.parent-for-admins');
  return {
    action,
    user: actingUser(request.requester, user),
    role: request.requester.boundRole,
    context: own,
    ...given({ parameters, callback, delay, priority, pool, idempotent, result, requestKey: key }),
    ...(notify ? { notify: notifyWithRoutes(notify) } : {}),
  };
}

/** Drops members without a value. */
const given = <T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;

type Context = Record<string, unknown>;

/** Members of a context that identify the user: callers may not set them. */
const OWN_MEMBERS: readonly string[] = ['user', 'pack', 'rbac'];

/**
 * Members that tell an engine which run to continue: a caller could use them to reach a workflow run that he may not
 * see.
 */
const ENGINE_MEMBERS: readonly string[] = ['re-run', 'workflow_execution'];

/**
 * Members that the system sets: the task that an execution belongs to, its number of retries, and who stopped or
 * answered it.
 */
const NOTED_MEMBERS: readonly string[] = [
  'orquesta',
  'chain',
  'policies',
  'cancelled_by',
  'paused_by',
  'resumed_by',
  'responded_by',
];

const TAKEN = [...OWN_MEMBERS, ...ENGINE_MEMBERS, ...NOTED_MEMBERS];

/**
 * The context that a caller sends with a request: the one in the body, overlaid with the one in the header
 * `svc-context`.
 * @throws Fault `execution.context-header`, `execution.context-member`, `data.limit`, `data.key`
 */
export function callerContext(body: Context | undefined, header: string | undefined, limits: DataLimits): Context {
  const given = { ...body, ...headerContext(header, limits) };
  const context = Object.fromEntries(Object.entries(given).filter(([name]) => !TAKEN.includes(name)));
  checkTrace(context['trace_context']);
  if (!isNothing(context['parent'])) context['parent'] = checkedParent(context['parent']);
  return context;
}

/** Clients also send members that have no value. */
const isNothing = (member: unknown): boolean =>
  member === undefined || member === null || (isPlainObject(member) && Object.keys(member).length === 0);

function headerContext(header: string | undefined, limits: DataLimits): Context {
  if (header === undefined || header === '') return {};
  const value = parsed(header, limits);
  if (!isPlainObject(value)) throw fault('execution.context-header', { type: pythonTypeName(value) });
  return value;
}

function parsed(header: string, limits: DataLimits): unknown {
  try {
    return parseBoundedJson(header, limits);
  } catch (error) {
    if (isFault(error)) throw error;
    throw fault('execution.context-header', { type: 'str' }, { cause: error });
  }
}

/** The stored record of the parent says whose it is. */
function checkedParent(parent: unknown): Context {
  if (!isPlainObject(parent)) throw wrong('parent', 'an object', parent);
  const { user: _user, ...rest } = parent;
  const { execution_id: id } = rest;
  if (typeof id !== 'string') throw wrong('parent.execution_id', 'the id of an execution', id);
  return rest;
}

function checkTrace(trace: unknown): void {
  if (isNothing(trace)) return;
  if (!isPlainObject(trace)) throw wrong('trace_context', 'an object', trace);
  for (const name of ['id_', 'trace_tag']) {
    const value = trace[name];
    if (value !== undefined && typeof value !== 'string') throw wrong(`trace_context.${name}`, 'a text', value);
  }
}

const wrong = (member: string, expected: string, value: unknown) =>
  fault('execution.context-member', {
    member,
    text: `expected ${expected}, got ${JSON.stringify(value) ?? 'nothing'}`,
  });

/**
 * The user for whom an execution runs.
 * @throws Fault `execution.other-user` when a user who is not an administrator names another user
 */
export function actingUser(requester: Pick<Requester, 'user' | 'isAdmin'>, asked: string | null | undefined): string {
  if (!asked || asked === requester.user) return requester.user;
  if (!requester.isAdmin) throw fault('execution.other-user');
  return asked;
}

const LONGEST = 200;
const PRINTABLE = /^[\x21-\x7e]+$/;

/**
 * The key from the header `Idempotency-Key`, which keeps a request from taking effect twice. Keys of different users are
 * separate.
 * @throws Fault `execution.request-key`
 */
export function requestKey({ header, requester }: Pick<RouteRequest, 'header' | 'requester'>): string | undefined {
  const key = header('idempotency-key');
  if (key === undefined) return undefined;
  if (key.length > LONGEST || !PRINTABLE.test(key)) throw fault('execution.request-key', { maximum: LONGEST });
  return `http:${encodeURIComponent(requester.user)}:${key}`;
}
