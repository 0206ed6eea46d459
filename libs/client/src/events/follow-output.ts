import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '@switchyard/base';
import { isTerminal } from '@switchyard/model';
import { ConnectionError } from '../api-error';
import type { Executions } from '../resources/executions';
import type { Transport } from '../transport/transport';
import { openEvents } from './open-events';
import { parsedEvent } from './watch-events';

/** A piece of what an execution printed. */
export interface OutputChunk {
  id: string;
  execution_id: string;
  timestamp: string;
  /** `stdout`, `stderr`, `output`, … */
  output_type: string;
  data: string;
}

export interface FollowOptions {
  /** Only output of this type. */
  readonly type?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Breaks in a row, without any output between them, that are taken for the end of the server. */
const MAX_BREAKS = 5;

/**
 * See `Executions.outputStream`. The service begins with what is stored on each connection, so that a broken one is made
 * again and pieces that were seen are skipped. It also ends the stream of an execution that pauses or resumes: what that one
 * has printed since then is asked for once more, also when it has ended meanwhile.
 */
export async function* followOutput(
  transport: Transport,
  get: Executions['get'],
  id: string,
  { type, signal }: FollowOptions = {},
): AsyncGenerator<OutputChunk, void> {
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

/** Statuses of which the service ends a stream although the execution goes on. */
const ENDS_STREAM: readonly string[] = ['pausing', 'resuming'];

/** @throws ConnectionError when the stream ends without its last event: it was cut off then */
async function* oneConnection(
  transport: Transport,
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
