import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, deferred, isPlainObject, SECOND_MS, type Backoff } from '@switchyard/base';
import type { Execution } from '@switchyard/model';
import { ConnectionError } from '../api-error';
import { FAMILY_ATTRIBUTES, readDescendants } from '../resources/workflow-tasks';
import type { ExecutionsResource } from '../resources/executions';
import type { ApiTransport } from '../transport/transport';
import { loadStatuses, type Statuses } from './statuses';
import { watchEvents } from './watch-events';

export interface FamilyOptions {
  readonly signal?: AbortSignal | undefined;
  /** Continues while the workflow is paused or pending. */
  readonly throughPauses?: boolean | undefined;
  /** How long to retry while the server does not respond. */
  readonly patienceMs?: number | undefined;
}

/** Events report changes and polling fills gaps. While a stream is open, polling only finds what the stream missed. */
const LOOK_WITH_STREAM_MS = 10 * SECOND_MS;
const LOOK_WITHOUT_STREAM: Backoff = { initialMs: 200, factor: 1.5, maxMs: 2 * SECOND_MS };
const DEFAULT_PATIENCE_MS = 30 * SECOND_MS;

/** See `ExecutionsResource.family`. */
export async function* followFamily(
  transport: ApiTransport,
  get: ExecutionsResource['get'],
  id: string,
  { signal, throughPauses, patienceMs = DEFAULT_PATIENCE_MS }: FamilyOptions = {},
): AsyncGenerator<Execution[], void> {
  const statuses = await loadStatuses();
  const isOver = throughPauses ? statuses.isTerminal : statuses.isSettled;
  const family = new Family(id, statuses, isOver);
  const closing = new AbortController();
  const ends = signal ? AbortSignal.any([closing.signal, signal]) : closing.signal;
  try {
    await family.listen(transport, ends);
    for (let looks = 1, answered = Date.now(); ; looks++) {
      signal?.throwIfAborted();
      const seen = await look(transport, get, id).catch((error: unknown) => {
        if (!(error instanceof ConnectionError) || Date.now() - answered > patienceMs) throw error;
        return undefined;
      });
      if (seen) answered = Date.now();
      const changes = [...family.news(), ...(seen ?? []).filter((each) => family.take(each))];
      if (changes.length > 0) yield changes;
      const root = seen?.[0];
      if (root && isOver(root.status)) return;
      yield* family.untilNextLook(family.streaming ? LOOK_WITH_STREAM_MS : backoffMs(LOOK_WITHOUT_STREAM, looks), ends);
    }
  } finally {
    closing.abort();
  }
}

/** The root, then everything below it. The root is read first: once it has ended, nothing is added below it. */
async function look(transport: ApiTransport, get: ExecutionsResource['get'], id: string): Promise<Execution[]> {
  const root = await get(id, { include: FAMILY_ATTRIBUTES });
  return [root, ...(await readDescendants(transport, id))];
}

/** The known members of a family with their last seen status. */
class Family {
  streaming = false;
  readonly #seen = new Map<string, Execution['status']>();
  #news: Execution[] = [];
  #lookNow = false;
  #wake = deferred<void>();

  constructor(
    private readonly root: string,
    private readonly statuses: Statuses,
    private readonly isOver: (status: Execution['status']) => boolean,
  ) {}

  /** Resolves once events arrive, or when the stream cannot be opened. */
  async listen(transport: ApiTransport, signal: AbortSignal): Promise<void> {
    const connected = deferred<void>();
    const onConnected = (): void => {
      this.streaming = true;
      // Events between two connections are lost.
      this.askForLook();
      connected.resolve();
    };
    const read = async (): Promise<void> => {
      const events = ['st2.execution__create', 'st2.execution__update'];
      for await (const { data } of watchEvents(transport, { events, signal, onConnected })) this.hear(data);
    };
    void read()
      .catch(() => undefined)
      .then(() => {
        this.streaming = false;
        connected.resolve();
        this.askForLook();
      });
    await connected.promise;
    this.#lookNow = false;
  }

  /** @returns whether the execution is new or its status has changed. A final status is never replaced. */
  take({ id, status }: Execution): boolean {
    const before = this.#seen.get(id);
    if (before === status || (before !== undefined && this.statuses.isTerminal(before))) return false;
    this.#seen.set(id, status);
    return true;
  }

  /** Changes reported by events since the last call. */
  news(): Execution[] {
    return this.#news.splice(0);
  }

  /** Yields changes reported by events until the next poll is due. */
  async *untilNextLook(ms: number, signal: AbortSignal): AsyncGenerator<Execution[], void> {
    const due = Date.now() + ms;
    while (!this.#lookNow && !signal.aborted && Date.now() < due) {
      await this.#newsOrAfter(due - Date.now(), signal);
      const news = this.news();
      if (news.length > 0) yield news;
    }
    this.#lookNow = false;
  }

  async #newsOrAfter(ms: number, signal: AbortSignal): Promise<void> {
    const timer = new AbortController();
    const pause = sleep(ms, undefined, { signal: AbortSignal.any([timer.signal, signal]) }).catch(() => undefined);
    await Promise.race([pause, this.#wake.promise]);
    timer.abort();
    this.#wake = deferred<void>();
  }

  private askForLook(): void {
    this.#lookNow = true;
    this.#wake.resolve();
  }

  private hear(data: unknown): void {
    const execution = memberOf(data, this.statuses);
    if (!execution || (!this.#seen.has(execution.id) && !this.#seen.has(execution.parent ?? ''))) return;
    // The end of the root is reported by a poll, which includes everything before it.
    if (execution.id === this.root && this.isOver(execution.status)) return this.askForLook();
    if (!this.take(execution)) return;
    this.#news.push(execution);
    this.#wake.resolve();
  }
}

/** An execution without the large attributes, which are not kept in memory. */
function memberOf(data: unknown, { isStatus }: Statuses): Execution | undefined {
  if (!isPlainObject(data) || typeof data['id'] !== 'string' || typeof data['status'] !== 'string') return undefined;
  if (!isStatus(data['status'])) return undefined;
  const { result: _result, log: _log, parameters: _parameters, ...rest } = data as unknown as Execution;
  return rest;
}
