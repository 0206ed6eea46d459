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
 * See `Executions.outputStream`. The service replays what is stored on each connection, so that a broken one is made
 * again and pieces that were seen are skipped. It also ends the stream of an execution that pauses or resumes.
 */
export async function* followOutput(
  transport: Transport,
  get: Executions['get'],
  id: string,
  { type, signal }: FollowOptions = {},
): AsyncGenerator<OutputChunk, void> {
  const seen = new Set<string>();
  for (let breaks = 0; ;) {
    try {
      for await (const chunk of oneConnection(transport, id, type, signal)) {
        if (seen.has(chunk.id)) continue;
        seen.add(chunk.id);
        breaks = 0;
        yield chunk;
      }
      if (isTerminal((await get(id, { include: ['status'] })).status)) return;
    } catch (error) {
      if (!(error instanceof ConnectionError) || ++breaks > MAX_BREAKS) throw error;
    }
    await sleep(SECOND_MS, undefined, signal ? { signal } : {});
  }
}

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
  } finally {
    stream.close();
  }
}
