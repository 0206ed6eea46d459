import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '@switchyard/base';
import { ConnectionError } from '../api-error';
import type { ExecutionsResource } from '../resources/executions';
import type { ApiTransport } from '../transport/transport';
import { openEvents } from './open-events';
import { loadStatuses } from './statuses';
import { parsedEvent } from './watch-events';

/** A chunk of the output of an execution. */
export interface OutputChunk {
  id: string;
  execution_id: string;
  timestamp: string;
  /** `stdout`, `stderr`, `output`, … */
  output_type: string;
  data: string;
}

export interface FollowOutputOptions {
  /** Only output of this type. */
  readonly type?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** After this many broken connections in a row without any output, the server counts as down. */
const MAX_BREAKS = 5;

/**
 * See `ExecutionsResource.outputStream`. The service sends stored output first on each connection, so after a broken
 * connection this reconnects and skips known chunks. The service also ends the stream of an execution that pauses or
 * resumes. Its later output is requested again, even if it has ended meanwhile.
 */
export async function* followOutput(
  transport: ApiTransport,
  get: ExecutionsResource['get'],
  id: string,
  { type, signal }: FollowOutputOptions = {},
): AsyncGenerator<OutputChunk, void> {
  const { isTerminal } = await loadStatuses();
  const seen = new Set<string>();
  let isOver = false;
  for (let breaks = 0; ;) {
    try {
      for await (const chunk of oneConnection(transport, id, type, signal)) {
        if (seen.has(chunk.id)) continue;
        seen.add(chunk.id);
        breaks = 0;
        yield chunk;
      }
      if (isOver) return;
      const { status, log } = await get(id, { include: ['status', 'log'] });
      isOver = isTerminal(status);
      if (isOver && !log?.some(({ status: each }) => ENDS_STREAM.includes(each))) return;
      if (isOver) continue;
    } catch (error) {
      if (!(error instanceof ConnectionError) || ++breaks > MAX_BREAKS) throw error;
    }
    await sleep(SECOND_MS, undefined, signal ? { signal } : {});
  }
}

/** The service ends the stream at these statuses, although the execution continues. */
const ENDS_STREAM: readonly string[] = ['pausing', 'resuming'];

/** @throws ConnectionError if the stream ends without its final event, which means that it was cut off */
async function* oneConnection(
  transport: ApiTransport,
  id: string,
  type: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<OutputChunk, void> {
  const path = ['executions', id, 'output'];
  const stream = await openEvents(transport, { path, query: { output_type: type }, signal });
  try {
    for await (const raw of stream) {
      if (raw.event === 'EOF') return;
      yield parsedEvent(raw).data as OutputChunk;
    }
    if (!signal?.aborted) throw new ConnectionError('the event stream', 'it ended before the output did');
  } finally {
    stream.close();
  }
}
