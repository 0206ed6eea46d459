import { unsupported } from '../errors';
import { collect, matchingRecords, type RecordSource } from '../planner/matching';
import { parseQuery } from '../query/parse-filter';
import { parseProjection } from '../query/projection';
import { parseSort } from '../query/sort';
import type { Document } from '../values/document';
import { Cursor } from './cursor';

export interface FindRequest {
  filter: unknown;
  sort?: unknown;
  skip?: number;
  limit?: number;
  projection?: Document;
  /** Do not keep the documents in the cache. */
  once?: boolean;
}

/** The cursor of `find`. Reading starts with the first requested result. */
export class FindCursor extends Cursor {
  private readonly request: FindRequest;

  constructor(
    private readonly open: () => RecordSource,
    request: FindRequest,
  ) {
    super();
    this.request = { ...request };
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

  /** All results, in as few turns of the event loop as possible. */
  override async toArray(): Promise<unknown[]> {
    if (this.started || this.closed) return super.toArray();
    const { matches, project } = this.begin();
    const { transform } = this;
    return collect(matches, ({ document }) => transform(project(document)));
  }

  protected override async *results(): AsyncGenerator<Document, void, undefined> {
    const { matches, project, slice } = this.begin();
    for (const stored of matches) {
      if (stored) yield project(stored.document);
      if (slice.isOver()) await slice.next();
    }
  }

  private begin() {
    const { filter, sort, skip = 0, limit, projection, once = false } = this.request;
    const selection = {
      filter: parseQuery(filter),
      sort: parseSort(sort),
      skip,
      limit: limit ? Math.abs(limit) : undefined,
      once,
    };
    const source = this.open();
    return { matches: matchingRecords(source, selection), project: parseProjection(projection), slice: source.slice };
  }
}
