import { fault, isPlainObject, MINUTE_MS, MS_MICROS, type Id, type Micros } from '@switchyard/base';
import { compileSchema, isTerminal, maskBySchema, type ExecutionRecord, type Schema } from '@switchyard/model';
import type { Filter } from '@switchyard/storage';
import type { Executions } from './executions';

/** Operations on inquiries. Each inquiry ends once: by an answer, a timeout or a cancellation. */
export interface Inquiries {
  /** @throws Fault of the area `inquiry` when it cannot be answered, `execution.not-found` */
  get(id: Id): Promise<OpenInquiry>;
  /** The inquiry in the record of an execution that is an inquiry. */
  of(record: ExecutionRecord): Promise<OpenInquiry>;
  /**
   * Answers an inquiry. Of several simultaneous answers the first one counts, and the others are refused.
   * @returns the answer as it may be shown @throws Fault of the area `inquiry`, `execution.not-found`
   */
  respond(id: Id, response: Readonly<Record<string, unknown>>, responder: Responder): Promise<Record<string, unknown>>;
  /** @returns undefined when it was no longer pending */
  timeOut(record: ExecutionRecord): Promise<ExecutionRecord | undefined>;
}

/** The runner whose executions are inquiries. */
export const INQUIRER = 'inquirer';

/** The executions that are open inquiries. */
export const OPEN_INQUIRIES: Filter<ExecutionRecord> = { status: 'pending', runner_name: INQUIRER };

export function createInquiries(executions: Pick<Executions, 'records' | 'results' | 'transition'>): Inquiries {
  const open = async (id: Id): Promise<ExecutionRecord> => {
    const record = await executions.records.get(id);
    if (!record) throw fault('execution.not-found', { id });
    checkOpen(record);
    return record;
  };
  const of = async (record: ExecutionRecord) =>
    inquiryOf(record, (await executions.results.load(record, false)) ?? record.parameters);

  return {
    of,
    get: async (id) => of(await open(id)),
    async respond(id, response, responder) {
      const record = await open(id);
      const inquiry = await of(record);
      checkResponder(inquiry, responder);
      checkResponse(inquiry, response);
      const asked = (await executions.results.load(record, true)) ?? {};
      const stored = await executions.results.store(record, { ...asked, response }, inResponse(inquiry.schema));
      const moved = await executions.transition(record, 'succeeded', {
        from: ['pending'],
        set: { ...stored.set, 'context.responded_by': responder.user },
        unset: stored.unset,
      });
      if (moved) return maskBySchema(response, inquiry.schema) as Record<string, unknown>;
      await executions.results.discard(stored);
      // Another answer came first; `open` throws the fault that reports how it ended.
      await open(id);
      throw fault('execution.changed-meanwhile', { id });
    },
    timeOut: (record) => executions.transition(record, 'timeout', { from: ['pending'] }),
  };
}

/** The schema of the whole result, made of the schema of an answer. */
const inResponse = (schema: Schema): Schema => ({
  definitions: schema['definitions'],
  properties: { response: schema },
});

/** A question that waits for an answer. Its id is that of its execution. */
export interface OpenInquiry {
  readonly id: Id;
  readonly route: string;
  /** Minutes; 0 means no limit. */
  readonly ttl: number;
  readonly users: readonly string[];
  readonly roles: readonly string[];
  readonly schema: Schema;
}

/** The user who answers. */
export interface Responder {
  readonly user: string;
  /** Absent where roles are not in use: then no role is required. */
  readonly roles?: readonly string[];
}

/** @param asked the result of the execution, which contains the question */
export function inquiryOf(
  { _id: id }: Pick<ExecutionRecord, '_id'>,
  asked: Readonly<Record<string, unknown>>,
): OpenInquiry {
  const { route, ttl, users, roles, schema } = asked;
  return {
    id,
    route: typeof route === 'string' ? route : '',
    ttl: typeof ttl === 'number' ? ttl : 0,
    users: texts(users),
    roles: texts(roles),
    schema: isPlainObject(schema) ? schema : {},
  };
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** @throws Fault of the area `inquiry` when the inquiry is not open */
export function checkOpen({ _id: id, runner_name: runner, status }: ExecutionRecord): void {
  if (runner !== INQUIRER) throw fault('inquiry.none', { id });
  if (status === 'pending') return;
  if (status === 'timeout') throw fault('inquiry.timed-out', { id });
  if (status === 'succeeded') throw fault('inquiry.answered', { id });
  if (isTerminal(status) || status === 'canceling') throw fault('inquiry.over', { id, status });
  throw fault('inquiry.not-asked-yet', { id });
}

/** Both users and roles have to match; an empty list matches everybody. @throws Fault `inquiry.forbidden` */
export function checkResponder({ id, users, roles }: OpenInquiry, { user, roles: own }: Responder): void {
  const isNamed = users.length === 0 || users.includes(user);
  const hasRole = roles.length === 0 || own === undefined || own.some((role) => roles.includes(role));
  if (!isNamed || !hasRole) throw fault('inquiry.forbidden', { user, id });
}

/** Defaults of the schema count as given. @throws Fault `inquiry.response` */
export function checkResponse({ id, schema }: OpenInquiry, response: Readonly<Record<string, unknown>>): void {
  const outcome = compileSchema(schema, { allowNone: true }).check(response);
  if (!outcome.ok) throw fault('inquiry.response', { id, cause: outcome.violation.message });
}

/** When the inquiry expires, counted from when the question was asked; undefined for never. */
export function expiryOf({ log, start_timestamp: start }: ExecutionRecord, { ttl }: OpenInquiry): Micros | undefined {
  if (ttl <= 0) return undefined;
  const asked = log.findLast(({ status }) => status === 'pending')?.timestamp ?? start;
  return asked + ttl * MINUTE_MS * MS_MICROS;
}
