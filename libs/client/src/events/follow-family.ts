import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, deferred, isPlainObject, SECOND_MS, type Backoff } from '@switchyard/base';
import { isStatus, isTerminal } from '@switchyard/model';
import { ConnectionError } from '../api-error';
import { FAMILY_ATTRIBUTES, readDescendants } from '../resources/descendants';
import type { Execution, Executions } from '../resources/executions';
import type { Transport } from '../transport/transport';
import { isSettled } from './wait-for-execution';
import { watchEvents } from './watch-events';

export interface FamilyOptions {
  readonly signal?: AbortSignal | undefined;
  /** Goes on while the workflow is paused or waits for an answer. */
  readonly throughPauses?: boolean | undefined;
  /** For how long a server that does not answer is asked again. */
  readonly patienceMs?: number | undefined;
}

/** Events tell; looking repairs. With a stream it is only for what the stream lost. */
const LOOK_WITH_STREAM_MS = 10 * SECOND_MS;
const LOOK_WITHOUT_STREAM: Backoff = { initialMs: 200, factor: 1.5, maxMs: 2 * SECOND_MS };
const DEFAULT_PATIENCE_MS = 30 * SECOND_MS;

/** See `Executions.family`. */
export async function* followFamily(
  transport: Transport,
  get: Executions['get'],
  id: string,
  { signal, throughPauses, patienceMs = DEFAULT_PATIENCE_MS }: FamilyOptions = {},
): AsyncGenerator<Execution[], void> {
  const isOver = throughPauses ? isTerminal : isSettled;
  const family = new Family(id, isOver);
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

/** The root, then all below it. It is read first: once it has ended, nothing is added to what is read after it. */
async function look(transport: Transport, get: Executions['get'], id: string): Promise<Execution[]> {
  const root = await get(id, { include: FAMILY_ATTRIBUTES });
  return [root, ...(await readDescendants(transport, id))];
}

/** Those that are known to belong to an execution, as they were last seen. */
class Family {
  streaming = false;
  readonly #seen = new Map<string, Execution['status']>();
  #news: Execution[] = [];
  #lookNow = false;
  #wake = deferred<void>();

  constructor(
    private readonly root: string,
    private readonly isOver: (status: Execution['status']) => boolean,
  ) {}

  /** Resolves once events are being received, or when there is no hope of that. */
  async listen(transport: Transport, signal: AbortSignal): Promise<void> {
    const connected = deferred<void>();
    const onConnected = (): void => {
      this.streaming = true;
      // What happened between two connections was not seen.
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

  /** @returns whether it is new, or has changed since it was seen last; an end is never taken back */
  take({ id, status }: Execution): boolean {
    const before = this.#seen.get(id);
    if (before === status || (before !== undefined && isTerminal(before))) return false;
    this.#seen.set(id, status);
    return true;
  }

  /** What events have told since this was asked last. */
  news(): Execution[] {
    return this.#news.splice(0);
  }

  /** What events tell, until it is time to look again. */
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
    const execution = memberOf(data);
    if (!execution || (!this.#seen.has(execution.id) && !this.#seen.has(execution.parent ?? ''))) return;
    // The end of the whole is told by a look, which has everything that came before it.
    if (execution.id === this.root && this.isOver(execution.status)) return this.askForLook();
    if (!this.take(execution)) return;
    this.#news.push(execution);
    this.#wake.resolve();
  }
}

/** The attributes of an execution that are kept; results are let go of. */
function memberOf(data: unknown): Execution | undefined {
  if (!isPlainObject(data) || typeof data['id'] !== 'string' || typeof data['status'] !== 'string') return undefined;
  if (!isStatus(data['status'])) return undefined;
  const { result: _result, log: _log, parameters: _parameters, ...rest } = data as unknown as Execution;
  return rest;
}
