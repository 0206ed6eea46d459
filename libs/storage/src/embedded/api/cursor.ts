import { Readable } from 'node:stream';
import { unsupported } from '../errors';
import type { Document } from '../values/document';

/** Results one by one or all at once, with the methods of the server driver's cursors. */
export abstract class Cursor {
  protected started: AsyncGenerator<Document, void, undefined> | undefined;
  private ahead: Document | undefined;
  protected transform: (document: Document) => unknown = (document) => document;
  closed = false;

  protected abstract results(): AsyncGenerator<Document, void, undefined>;

  async toArray(): Promise<unknown[]> {
    const all: unknown[] = [];
    for (let next = await this.next(); next !== null; next = await this.next()) all.push(next);
    return all;
  }

  async next(): Promise<unknown> {
    const document = await this.peek();
    this.ahead = undefined;
    return document === undefined ? null : this.transform(document);
  }

  tryNext(): Promise<unknown> {
    return this.next();
  }

  async hasNext(): Promise<boolean> {
    return (await this.peek()) !== undefined;
  }

  async forEach(visit: (document: unknown) => unknown): Promise<void> {
    for await (const document of this) if (visit(document) === false) return;
  }

  map(transform: (document: never) => unknown): this {
    const before = this.transform;
    this.transform = (document) => transform(before(document) as never);
    return this;
  }

  stream(): Readable {
    return Readable.from(this);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void, undefined> {
    try {
      for (let next = await this.next(); next !== null; next = await this.next()) yield next;
    } finally {
      await this.close();
    }
  }

  rewind(): void {
    this.started = undefined;
    this.ahead = undefined;
    this.closed = false;
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.started?.return();
  }

  batchSize(): this {
    return this;
  }

  maxTimeMS(): this {
    return this;
  }

  explain(): never {
    throw unsupported('explain; see the counters of openEmbedded');
  }

  addCursorFlag(flag: string, value: boolean): this {
    if (value && flag !== 'noCursorTimeout') throw unsupported(`the cursor flag "${flag}"`);
    return this;
  }

  private async peek(): Promise<Document | undefined> {
    if (this.closed) return undefined;
    this.started ??= this.results();
    this.ahead ??= (await this.started.next()).value ?? undefined;
    return this.ahead;
  }
}
