import { isPlainObject } from '@switchyard/base';
import type { Status } from '@switchyard/model';
import { ApiError } from '../api-error';
import { followOutput, type FollowOptions, type OutputChunk } from '../events/follow-output';
import { followFamily, type FamilyOptions } from '../events/follow-family';
import { waitForExecution, type WaitOptions } from '../events/wait-for-execution';
import type { Call } from '../transport/call';
import type { Transport } from '../transport/transport';
import { readDescendants } from './descendants';
import { attributeQuery, readPage, type Attributes, type ListQuery, type Page } from './list-query';

/** An execution as the API shows it; attributes that are empty, or were not asked for, are absent. */
export interface Execution {
  id: string;
  status: Status;
  action: { ref: string; runner_type?: string; pack?: string; name?: string; [attribute: string]: unknown };
  /** The runner as it was. `output_key`: the member of the result that the output schema of the action is about. */
  runner?: { name?: string; output_key?: string; [attribute: string]: unknown };
  start_timestamp: string;
  end_timestamp?: string;
  elapsed_seconds?: number;
  parameters?: Record<string, unknown>;
  result?: unknown;
  context?: Record<string, unknown>;
  log?: { status: Status; timestamp: string }[];
  parent?: string;
  children?: string[];
  delay?: number;
}

export interface ExecutionRequest {
  action: string;
  parameters?: Record<string, unknown> | undefined;
  user?: string | undefined;
  delayMs?: number | undefined;
  /** Label of the runners that may run it. */
  pool?: string | undefined;
  /** Groups everything that follows from this execution. An id wins over a tag. */
  trace?: { id?: string | undefined; tag?: string | undefined } | undefined;
}

export interface RerunRequest {
  parameters?: Record<string, unknown> | undefined;
  /** Tasks of a workflow that are run again, with all that follows from them; the whole without any. */
  tasks?: readonly string[] | undefined;
  /** Those of them whose items are all run again, also those that have succeeded. */
  reset?: readonly string[] | undefined;
  delayMs?: number | undefined;
}

export interface Executions {
  list(query?: ListQuery): Promise<Page<Execution>>;
  /** @throws ApiError with status 404 when there is none */
  get(id: string, attributes?: Attributes): Promise<Execution>;
  create(request: ExecutionRequest): Promise<Execution>;
  /** @throws ApiError, also when the execution has ended already: 409 */
  cancel(id: string): Promise<Execution>;
  /** Workflows only: what runs is let end, nothing new starts. */
  pause(id: string): Promise<Execution>;
  resume(id: string): Promise<Execution>;
  rerun(id: string, request?: RerunRequest): Promise<Execution>;
  /**
   * What a workflow has started, and what workflows among that have started: each before its own children, without
   * parameters and results. @param depth 1 for the direct children; all for -1, which is the default
   */
  descendants(id: string, depth?: number): Promise<Execution[]>;
  /**
   * A workflow and all below it as they are, then each that is new or has another status, a few at a time; those that
   * contain others come before them. Ends when the workflow has ended, and when it rests unless told otherwise.
   */
  family(id: string, options?: FamilyOptions): AsyncGenerator<Execution[], void>;
  /** The output that is stored so far. @param type `stdout`, `stderr`, …; everything unless given */
  output(id: string, type?: string): Promise<string>;
  /** Stored output, then what comes, each piece once and in order; ends with the execution. */
  outputStream(id: string, options?: FollowOptions): AsyncGenerator<OutputChunk, void>;
  /** Waits until the execution has ended, or rests until somebody does something about it (paused, pending). */
  wait(id: string, options?: WaitOptions): Promise<Execution>;
}

const PATH = ['executions'];

export function createExecutions(transport: Transport): Executions {
  const answer = async (call: Omit<Call, 'service'>): Promise<Execution> =>
    (await transport.json<Execution>({ ...call, service: 'api' })).body;
  const get: Executions['get'] = (id, attributes = {}) =>
    answer({ method: 'GET', path: [...PATH, id], query: attributeQuery(attributes) });
  const change = (id: string, status: string): Promise<Execution> =>
    answer({ method: 'PUT', path: [...PATH, id], body: { status } });
  return {
    get,
    list: (query = {}) => readPage<Execution>(transport, PATH, query),
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

function requestBody({
  action,
  parameters = {},
  user,
  delayMs,
  pool,
  trace,
}: ExecutionRequest): Record<string, unknown> {
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

const rerunBody = ({ parameters = {}, tasks = [], reset = [], delayMs }: RerunRequest): Record<string, unknown> => ({
  parameters,
  tasks,
  reset,
  ...(delayMs === undefined ? {} : { delay: delayMs }),
});

/** An execution that cannot be cancelled any more is answered with status 200 and a fault (interface sheet, DELETE). */
function refuseFault(answer: unknown): void {
  if (isPlainObject(answer) && typeof answer['faultstring'] === 'string') {
    throw new ApiError(409, answer['faultstring']);
  }
}
