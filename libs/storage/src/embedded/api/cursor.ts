import { Readable } from 'node:stream';
import { unsupported } from '../errors';
import { parseFilter } from '../query/parse-filter';
import { parseProjection, type Projector } from '../query/projection';
import { parseSort } from '../query/sort';
import { matching, type Matches, type Source } from '../planner/matching';
import type { Stored } from '../engine/collection-store';
import type { Document } from '../values/document';

/** Results one by one or at once, with the calls of the server driver's cursors. */
export abstract class Cursor {
  private started: AsyncGenerator<Document, void, undefined> | undefined;
  private ahead: Document | undefined;
  private transform: (document: Document) => unknown = (document) => document;
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

export interface FindRequest {
  filter: unknown;
  sort?: unknown;
  skip?: number;
  limit?: number;
  projection?: Document;
}

const LONGEST_TURN_MS = 5;

/** The cursor of `find`. Nothing is read before the first result is asked for. */
export class FindCursor extends Cursor {
  private readonly request: FindRequest;

  constructor(
    private readonly open: () => Source,
    request: FindRequest,
  ) {
    super();
    this.request = { ...request };
    parseFilter(request.filter);
  }

  sort(sort: unknown, direction?: unknown): this {
    this.request.sort = direction === undefined ? sort : [[sort, direction]];
    return this;
  }

  skip(skip: number): this {
    this.request.skip = skip;
    return this;
  }

  limit(limit: number): this {
    this.request.limit = limit;
    return this;
  }

  project(projection: Document): this {
    this.request.projection = projection;
    return this;
  }

  filter(filter: unknown): this {
    this.request.filter = filter;
    return this;
  }

  allowDiskUse(): this {
    return this;
  }

  comment(): this {
    return this;
  }

  hint(): never {
    throw unsupported('the option "hint" of find');
  }

  collation(): never {
    throw unsupported('the option "collation" of find');
  }

  /** All results in as few turns of the event loop as they need. */
  override async toArray(): Promise<unknown[]> {
    const all: unknown[] = [];
    for await (const document of this.turns()) all.push(...document);
    return all;
  }

  protected override async *results(): AsyncGenerator<Document, void, undefined> {
    const { matches, project } = this.begin();
    let since = performance.now();
    for (const stored of matches) {
      if (stored) yield project(stored.document);
      if (performance.now() - since < LONGEST_TURN_MS) continue;
      await new Promise(setImmediate);
      since = performance.now();
    }
  }

  private begin(): { matches: Matches; project: Projector } {
    const { filter, sort, skip = 0, limit } = this.request;
    const selection = { filter: parseFilter(filter), sort: parseSort(sort), skip, limit: limit ? Math.abs(limit) : undefined };
    return { matches: matching(this.open(), selection), project: parseProjection(this.request.projection) };
  }

  private async *turns(): AsyncGenerator<unknown[], void, undefined> {
    const map = this.mapped();
    const { matches, project } = this.begin();
    yield await collectTurns(matches, (stored) => map(project(stored.document)));
  }
}
