import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, deferred, isPlainObject, SECOND_MS, type Backoff } from '@switchyard/base';
import type { Execution, Status } from '@switchyard/model';
import { ConnectionError } from '../api-error';
import type { ExecutionsResource } from '../resources/executions';
import type { Attributes } from '../resources/records';
import type { ApiTransport } from '../transport/transport';
import { openEvents, type OpenEvents } from './open-events';
import { loadStatuses, type Statuses } from './statuses';
import { parsedEvent } from './watch-events';

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** The attributes of the returned execution. */
  readonly attributes?: Attributes | undefined;
  /** Called for each status that arrives, even if it has not changed. */
  readonly onStatus?: ((status: Status) => void) | undefined;
  /** How long to retry while the server does not respond. */
  readonly patienceMs?: number | undefined;
}

/** Events end the wait and polling fills gaps. While a stream is open, polling only finds what the stream missed. */
const LOOK_WITH_STREAM_MS = 10 * SECOND_MS;
const LOOK_WITHOUT_STREAM: Backoff = { initialMs: 200, factor: 1.5, maxMs: 2 * SECOND_MS };
const DEFAULT_PATIENCE_MS = 30 * SECOND_MS;

/** See `ExecutionsResource.wait`. @throws ApiError, ConnectionError, or the reason of the signal if it aborts */
export async function waitForExecution(
  transport: ApiTransport,
  get: ExecutionsResource['get'],
  id: string,
  options: WaitOptions = {},
): Promise<Execution> {
  const statuses = await loadStatuses();
  const watch = await watchExecution(transport, id, statuses, options);
  const reader = patientReader(get, id, options);
  try {
    for (let looks = 1; ; looks++) {
      options.signal?.throwIfAborted();
      const execution = await reader();
      if (execution) {
        options.onStatus?.(execution.status);
        if (statuses.isSettled(execution.status)) return execution;
      }
      await watch.settledOrAfter(looks);
    }
  } finally {
    watch.close();
  }
}

/** Reads the execution. Returns undefined if the server is unreachable, until the patience runs out. */
function patientReader(get: ExecutionsResource['get'], id: string, { attributes, patienceMs }: WaitOptions) {
  const include = attributes?.include ? { include: [...attributes.include, 'status'] } : {};
  let lastAnswer = Date.now();
  return async (): Promise<Execution | undefined> => {
    try {
      const execution = await get(id, { ...attributes, ...include });
      lastAnswer = Date.now();
      return execution;
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      if (Date.now() - lastAnswer > (patienceMs ?? DEFAULT_PATIENCE_MS)) throw error;
      return undefined;
    }
  };
}

async function watchExecution(
  transport: ApiTransport,
  id: string,
  statuses: Statuses,
  { signal, onStatus }: WaitOptions,
) {
  const query = { events: 'st2.execution__update', execution_ids: id };
  const opened: Promise<OpenEvents | undefined> = openEvents(transport, { path: ['stream'], query, signal });
  // Without a stream (not running, unreachable, forbidden) polling is enough.
  let stream = await opened.catch(() => undefined);
  const settled = deferred<void>();
  const read = async (events: OpenEvents): Promise<void> => {
    for await (const raw of events) {
      const status = statusOf(parsedEvent(raw).data, statuses);
      if (status) onStatus?.(status);
      if (status && statuses.isSettled(status)) settled.resolve();
    }
  };
  const reading = stream && read(stream).catch(() => undefined);
  void reading?.then(() => (stream = undefined));
  return {
    close: () => stream?.close(),
    async settledOrAfter(looks: number): Promise<void> {
      const timer = new AbortController();
      const ms = stream ? LOOK_WITH_STREAM_MS : backoffMs(LOOK_WITHOUT_STREAM, looks);
      const ends = signal ? AbortSignal.any([timer.signal, signal]) : timer.signal;
      const pause = sleep(ms, undefined, { signal: ends }).catch(() => undefined);
      await Promise.race([pause, ...(stream && reading ? [settled.promise, reading] : [])]);
      timer.abort();
    },
  };
}

function statusOf(body: unknown, { isStatus }: Statuses): Status | undefined {
  const status = isPlainObject(body) ? body['status'] : undefined;
  return typeof status === 'string' && isStatus(status) ? status : undefined;
}
