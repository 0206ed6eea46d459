import { isFault, newId, type Fault } from '@switchyard/base';
import { validateParameters, type ExecutionRecord } from '@switchyard/model';
import { insertRequested, resolveRequest, type ExecutionRequest, type RequestDeps } from './request';
import { newRecord } from './execution-record';
import { dueAtEnd } from './transition';

/**
 * Records a failed execution for a request whose parameters could not be rendered, for callers that cannot report the
 * error to anyone. Its parameters are stored unrendered.
 * @returns undefined for other errors, and when the unrendered parameters are not valid for the action
 */
export async function recordFailedRequest(
  deps: RequestDeps,
  request: ExecutionRequest,
  error: unknown,
): Promise<ExecutionRecord | undefined> {
  if (!isRenderFault(error)) return undefined;
  const id = newId();
  const { definition, context } = await resolveRequest(deps, request, id);
  const { parameters = {} } = request;
  if (!fits(() => validateParameters(parameters, definition.runner, definition.action))) return undefined;
  const sealed = deps.secrets.sealParameters(definition, parameters, []);
  const outcome = { error: error.message, traceback: `${error.code}: ${error.message}` };
  const result = await deps.results.store({ definition: definition._id }, outcome);
  const made = newRecord(deps, request, { id, definition, context, ...sealed, ...result.set });
  const { record, created } = await insertRequested(deps, request, definition, failed(made, deps.isTold?.('failed')));
  if (created) deps.announce.created(record);
  if (created && record.due) deps.announce.remind(record);
  return record;
}

const isRenderFault = (error: unknown): error is Fault =>
  isFault(error) && (error.code.startsWith('expression.') || error.code === 'execution.parameters');

function fits(check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (isFault(error)) return false;
    throw error;
  }
}

function failed({ due: _, due_at: at, ...record }: ExecutionRecord, told = false): ExecutionRecord {
  const { start_timestamp: now } = record;
  const due = dueAtEnd(record, told);
  return {
    ...record,
    status: 'failed',
    end_timestamp: now,
    log: [...record.log, { status: 'failed', timestamp: now }],
    ...(due.length > 0 ? { due, due_at: at ?? now } : {}),
  };
}
