import { fault, isFault, isPlainObject, parseBoundedJson, type DataLimits } from '@switchyard/base';
import { pythonTypeName } from '@switchyard/model';

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
