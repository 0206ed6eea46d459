import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { deferred, isLargeJson, jsonPieces, slices } from '@switchyard/base';
import type { RouteResponse } from '../routing/route';
import { encodedSink } from './compression';
import { responseJson } from './send-response';

interface Sending {
  readonly isHead: boolean;
  /** Called if reading fails after a part was sent. */
  readonly onFailure: (error: unknown) => void;
  /** Called if a part of a record was left out because it cannot be serialized. */
  readonly onUnreadable: (reason: string) => void;
}

/**
 * Sends a JSON array while reading it, as fast as the client receives it. An error before the first item is thrown. A later one
 * closes the connection, so that no client mistakes a part for the whole.
 * @returns the number of bytes of the body that were sent
 */
export async function sendItems(
  response: ServerResponse,
  { status, items = none(), headers = {} }: Pick<RouteResponse, 'status' | 'items' | 'headers'>,
  { isHead, onFailure, onUnreadable }: Sending,
): Promise<number> {
  let body: ArrayBody | undefined;
  const begun = () =>
    (body ??= new ArrayBody(response, beginBody(response, { status, headers, isHead }), onUnreadable));
  try {
    for await (const batch of items) if (!(await begun().write(isHead ? [] : batch)) || isHead) break;
  } catch (error) {
    if (!body) throw error;
    onFailure(error);
    response.destroy();
    return body.sent;
  }
  const { sink, closing, sent } = begun();
  sink.end(isHead ? undefined : closing);
  return sent;
}

class ArrayBody {
  sent = 0;
  private separator = '[';
  private readonly slice = slices();

  constructor(
    private readonly response: ServerResponse,
    readonly sink: Writable,
    private readonly onUnreadable: Sending['onUnreadable'],
  ) {}

  get closing(): string {
    return this.separator === '[' ? '[]' : ']';
  }

  /** @returns false if the client is gone */
  async write(items: readonly unknown[]): Promise<boolean> {
    for (const item of items) {
      if (this.response.destroyed) return false;
      for (const text of await this.textsOf(item)) {
        this.sent += Buffer.byteLength(text);
        if (!this.sink.write(text)) await drained(this.sink);
        await this.slice.next();
      }
      this.separator = ',';
    }
    return true;
  }

  private async textsOf(item: unknown): Promise<readonly string[]> {
    if (isLargeJson(item)) {
      try {
        return [this.separator, ...(await jsonPieces(item))];
      } catch {
        // A part of it cannot be serialized.
      }
    }
    return [this.separator + responseJson(item, this.onUnreadable)];
  }
}

async function* none(): AsyncGenerator<readonly unknown[], void, undefined> {}

interface Head extends Pick<RouteResponse, 'status' | 'headers'> {
  readonly isHead: boolean;
}

/** Sends the headers. @returns where to write the body */
function beginBody(response: ServerResponse, { status, headers = {}, isHead }: Head): Writable {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.statusCode = status;
  if (!response.hasHeader('content-type')) response.setHeader('Content-Type', 'application/json');
  const sink = isHead ? response : encodedSink(response);
  response.flushHeaders();
  return sink;
}

/** Resolves when there is room again, or the client is gone. Then a sink that compresses is destroyed with the response. */
async function drained(sink: Writable): Promise<void> {
  const { promise, resolve } = deferred();
  sink.once('drain', resolve).once('close', resolve);
  // Its `close` may have been emitted before.
  if (!sink.destroyed) await promise;
  sink.off('drain', resolve).off('close', resolve);
}
