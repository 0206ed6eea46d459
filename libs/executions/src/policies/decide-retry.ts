import { isPlainObject, SECOND_MS } from '@switchyard/base';
import { RETRY, type ExecutionRecord, type PolicyRecord, type Status } from '@switchyard/model';

/** A further try of an execution. */
export interface Retry {
  /** 1 for the first one. */
  readonly count: number;
  readonly delayMs: number;
}

const END: Readonly<Record<string, Status>> = { failure: 'failed', timeout: 'timeout' };

/** Whether a policy asks for a further try of an execution that has ended. Looks at nothing but these two. */
export function decideRetry(
  { enabled, policy_type: type, parameters }: PolicyRecord,
  { status, context }: Pick<ExecutionRecord, 'status' | 'context'>,
): Retry | undefined {
  const { retry_on: end, max_retry_count: most, delay } = parameters;
  if (!enabled || type !== RETRY || END[String(end)] !== status) return undefined;
  const count = retriesBefore(context) + 1;
  if (count > Number(most)) return undefined;
  return { count, delayMs: Math.round(Number(delay ?? 0) * SECOND_MS) };
}

function retriesBefore({ policies }: Readonly<Record<string, unknown>>): number {
  const retry = isPlainObject(policies) ? policies['retry'] : undefined;
  const count = isPlainObject(retry) ? retry['retry_count'] : undefined;
  return typeof count === 'number' ? count : 0;
}
