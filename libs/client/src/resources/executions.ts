import { isPlainObject } from '@switchyard/base';
import type { Execution } from '@switchyard/model';
import { ApiError } from '../api-error';
import { followOutput, type FollowOutputOptions, type OutputChunk } from '../events/follow-output';
import { followFamily, type FamilyOptions } from '../events/follow-family';
import { waitForExecution, type WaitOptions } from '../events/wait-for-execution';
import type { ApiCall } from '../transport/call';
import type { ApiTransport } from '../transport/transport';
import { readDescendants } from './workflow-tasks';
import { attributeQuery, requestPage, type Attributes, type ListQuery, type ListPage } from './records';

export interface ExecutionDraft {
  action: string;
  parameters?: Record<string, unknown> | undefined;
  user?: string | undefined;
  delayMs?: number | undefined;
  /** Only action runners with this label may run it. */
  pool?: string | undefined;
  /** Trace of this execution and everything it causes. An id takes precedence over a tag. */
  trace?: { id?: string | undefined; tag?: string | undefined } | undefined;
}

export interface RerunDraft {
  parameters?: Record<string, unknown> | undefined;
  /** Tasks of a workflow to run again, with the tasks after them. Without any, the whole execution runs again. */
  tasks?: readonly string[] | undefined;
  /** The tasks among these that run all their items again, including those that succeeded. */
  reset?: readonly string[] | undefined;
  delayMs?: number | undefined;
}

export interface ExecutionsResource {
  list(query?: ListQuery): Promise<ListPage<Execution>>;
  /** @throws ApiError with status 404 if it does not exist */
  get(id: string, attributes?: Attributes): Promise<Execution>;
  create(request: ExecutionDraft): Promise<Execution>;
  /** @throws ApiError; with status 409 if the execution has already ended */
  cancel(id: string): Promise<Execution>;
  /** Pauses a workflow: running actions finish, and no new ones start. */
  pause(id: string): Promise<Execution>;
  resume(id: string): Promise<Execution>;
  rerun(id: string, request?: RerunDraft): Promise<Execution>;
  /**
   * Everything below a workflow, each execution before its own children, without parameters and results.
   * @param depth 1 for direct children only; -1, the default, for all levels
   */
  descendants(id: string, depth?: number): Promise<Execution[]>;
  /**
   * First a workflow and everything below it, then batches of executions that are new or changed their status.
   * Parents come before their children. Ends when the workflow has ended, or is paused or pending unless
   * `throughPauses` is set.
   */
  family(id: string, options?: FamilyOptions): AsyncGenerator<Execution[], void>;
  /** The output stored so far. @param type `stdout`, `stderr`, …; all output by default */
  output(id: string, type?: string): Promise<string>;
  /** Stored output, then new output until the execution ends; each piece once, in order. */
  outputStream(id: string, options?: FollowOutputOptions): AsyncGenerator<OutputChunk, void>;
  /** Waits until the execution has ended, or is paused or pending (waits for an answer). */
  wait(id: string, options?: WaitOptions): Promise<Execution>;
}

const PATH = ['executions'];

export function executionsResource(transport: ApiTransport): ExecutionsResource {
  const answer = async (call: Omit<ApiCall, 'service'>): Promise<Execution> =>
    (await transport.json<Execution>({ ...call, service: 'api' })).body;
  const get: ExecutionsResource['get'] = (id, attributes = {}) =>
    answer({ method: 'GET', path: [...PATH, id], query: attributeQuery(attributes) });
  const change = (id: string, status: string): Promise<Execution> =>
    answer({ method: 'PUT', path: [...PATH, id], body: { status } });
  return {
    get,
    list: (query = {}) => requestPage<Execution>(transport, PATH, query),
    create: (request) => answer({ method: 'POST', path: PATH, body: requestBody(request) }),
    async cancel(id) {
      const execution = await answer({ method: 'DELETE', path: [...PATH, id] });
      refuseFault(execution);
      return execution;
    },
    pause: (id) => change(id, 'pausing'),
    resume: (id) => change(id, 'resuming'),
    descendants: (id, depth) => readDescendants(transport, id, depth),
    family: (id, options) => followFamily(transport, get, id, options),
    rerun: (id, request = {}) => answer({ method: 'POST', path: [...PATH, id, 're_run'], body: rerunBody(request) }),
    output: (id, type) =>
      transport.text({ service: 'api', method: 'GET', path: [...PATH, id, 'output'], query: { output_type: type } }),
    outputStream: (id, options) => followOutput(transport, get, id, options),
    wait: (id, options) => waitForExecution(transport, get, id, options),
  };
}

function requestBody({ action, parameters = {}, user, delayMs, pool, trace }: ExecutionDraft): Record<string, unknown> {
  const traceContext = trace?.id !== undefined ? { id_: trace.id } : { trace_tag: trace?.tag };
  return {
    action,
    parameters,
    user: user ?? null,
    ...(delayMs === undefined ? {} : { delay: delayMs }),
    ...(pool === undefined ? {} : { pool }),
    ...(trace?.id === undefined && trace?.tag === undefined ? {} : { context: { trace_context: traceContext } }),
  };
}

const rerunBody = ({ parameters = {}, tasks = [], reset = [], delayMs }: RerunDraft): Record<string, unknown> => ({
  parameters,
  tasks,
  reset,
  ...(delayMs === undefined ? {} : { delay: delayMs }),
});

/** The API answers with status 200 and a fault if an execution can no longer be canceled. */
function refuseFault(answer: unknown): void {
  if (isPlainObject(answer) && typeof answer['faultstring'] === 'string') {
    throw new ApiError(409, answer['faultstring']);
  }
}
