import { fault, isPlainObject, MINUTE_MS, MS_MICROS, type Id, type Micros } from '@switchyard/base';
import { compileSchema, isTerminal, type ExecutionRecord, type Schema } from '@switchyard/model';

/** The runner whose executions are inquiries. */
export const INQUIRER = 'inquirer';

/** A question that waits for an answer (interface sheet "execution", 13.3). Its id is that of its execution. */
export interface Inquiry {
  readonly id: Id;
  readonly route: string;
  /** Minutes; 0 for ever. */
  readonly ttl: number;
  readonly users: readonly string[];
  readonly roles: readonly string[];
  readonly schema: Schema;
}

/** Who wants to answer. */
export interface Responder {
  readonly user: string;
  /** Absent where roles are not in use: then nobody is asked for one. */
  readonly roles?: readonly string[];
}

/** @param asked the result of the execution, in which its runner has put the question */
export function inquiryOf(
  { _id: id }: Pick<ExecutionRecord, '_id'>,
  asked: Readonly<Record<string, unknown>>,
): Inquiry {
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

/** @throws Fault of the area `inquiry` when nobody can answer, whoever it is */
export function checkOpen({ _id: id, runner_name: runner, status }: ExecutionRecord): void {
  if (runner !== INQUIRER) throw fault('inquiry.none', { id });
  if (status === 'pending') return;
  if (status === 'timeout') throw fault('inquiry.timed-out', { id });
  if (status === 'succeeded') throw fault('inquiry.answered', { id });
  if (isTerminal(status) || status === 'canceling') throw fault('inquiry.over', { id, status });
  throw fault('inquiry.not-asked-yet', { id });
}

/** Users and roles both have to fit; an empty list fits everybody. @throws Fault `inquiry.forbidden` */
export function checkResponder({ id, users, roles }: Inquiry, { user, roles: own }: Responder): void {
  const isNamed = users.length === 0 || users.includes(user);
  const hasRole = roles.length === 0 || own === undefined || own.some((role) => roles.includes(role));
  if (!isNamed || !hasRole) throw fault('inquiry.forbidden', { user, id });
}

/** Defaults of the schema count as given. @throws Fault `inquiry.response` */
export function checkResponse({ id, schema }: Inquiry, response: Readonly<Record<string, unknown>>): void {
  const outcome = compileSchema(schema, { allowNone: true }).check(response);
  if (!outcome.ok) throw fault('inquiry.response', { id, cause: outcome.violation.message });
}

/** When nobody may answer any more, counted from when the question was asked; undefined for never. */
export function expiryOf({ log, start_timestamp: start }: ExecutionRecord, { ttl }: Inquiry): Micros | undefined {
  if (ttl <= 0) return undefined;
  const asked = log.findLast(({ status }) => status === 'pending')?.timestamp ?? start;
  return asked + ttl * MINUTE_MS * MS_MICROS;
}
