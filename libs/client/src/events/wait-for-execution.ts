import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, deferred, isPlainObject, SECOND_MS, type Backoff } from '@switchyard/base';
import { isStatus, isTerminal, type Status } from '@switchyard/model';
import { ConnectionError } from '../api-error';
import type { Execution, Executions } from '../resources/executions';
import type { Attributes } from '../resources/list-query';
import type { Transport } from '../transport/transport';
import { openEvents, type OpenEvents } from './open-events';
import { parsedEvent } from './watch-events';

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** What the returned execution has. */
  readonly attributes?: Attributes | undefined;
  /** Called whenever a status is seen, also repeatedly with the same one. */
  readonly onStatus?: ((status: Status) => void) | undefined;
  /** For how long a server that does not answer is asked again. */
  readonly patienceMs?: number | undefined;
}

/** Events wake; looking repairs. With a stream it is only for what the stream lost. */
const LOOK_WITH_STREAM_MS = 10 * SECOND_MS;
const LOOK_WITHOUT_STREAM: Backoff = { initialMs: 200, factor: 1.5, maxMs: 2 * SECOND_MS };
const DEFAULT_PATIENCE_MS = 30 * SECOND_MS;

/** True once nothing more happens by itself: the execution has ended, is paused, or waits for an answer. */
export const isSettled = (status: Status): boolean => isTerminal(status) || status === 'paused' || status === 'pending';

/** See `Executions.wait`. @throws ApiError, ConnectionError, and the signal's reason when that ends it */
export async function waitForExecution(
  transport: Transport,
  get: Executions['get'],
  id: string,
  options: WaitOptions = {},
): Promise<Execution> {
  const watch = await watchExecution(transport, id, options);
  const reader = patientReader(get, id, options);
  try {
    for (let looks = 1; ; looks++) {
      options.signal?.throwIfAborted();
      const execution = await reader();
      if (execution) {
        options.onStatus?.(execution.status);
        if (isSettled(execution.status)) return execution;
      }
      await watch.settledOrAfter(looks);
    }
  } finally {
    watch.close();
  }
}

/** Reads the execution; undefined when the server cannot be reached, as long as patience lasts. */
function patientReader(get: Executions['get'], id: string, { attributes, patienceMs }: WaitOptions) {
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

async function watchExecution(transport: Transport, id: string, { signal, onStatus }: WaitOptions) {
  const query = { events: 'st2.execution__update', execution_ids: id };
  const opened: Promise<OpenEvents | undefined> = openEvents(transport, { path: ['stream'], query, signal });
  // Without a stream (not running, not reachable, not allowed) looking alone does.
  let stream = await opened.catch(() => undefined);
  const settled = deferred<void>();
  const read = async (events: OpenEvents): Promise<void> => {
    for await (const raw of events) {
      const status = statusOf(parsedEvent(raw).data);
      if (status) onStatus?.(status);
      if (status && isSettled(status)) settled.resolve();
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

function statusOf(body: unknown): Status | undefined {
  const status = isPlainObject(body) ? body['status'] : undefined;
  return typeof status === 'string' && isStatus(status) ? status : undefined;
}
