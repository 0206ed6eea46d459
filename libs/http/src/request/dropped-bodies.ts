import type { IncomingMessage } from 'node:http';
import { KIB, MIB, systemClock, type Clock } from '@switchyard/base';

/** Bytes that are dropped in each interval. A body of 16 MB takes less than half a second. */
const AT_ONCE_BYTES = MIB;
const INTERVAL_MS = 25;
/** About as many bytes are read from a connection at a time. */
const CHUNK_BYTES = 64 * KIB;

/** A request whose response is known before its body has arrived. */
export type UnreadRequest = Pick<IncomingMessage, 'complete' | 'on' | 'pause' | 'resume'>;

/**
 * Reads and drops the rest of the bodies of refused requests, all of them together at a limited rate. Node.js would read them as fast
 * as clients send: up to 2 MB of each connection in a turn of the event loop, each chunk in a buffer of its own, so that clients without
 * credentials could keep the process busy with the reading and the garbage.
 */
export class DroppedBodies {
  /** Negative after a turn in which many connections had data. */
  #left = AT_ONCE_BYTES;
  #isTimed = false;
  /** The paused requests, in the order in which they continue. */
  readonly #paused = new Set<UnreadRequest>();

  constructor(private readonly clock: Pick<Clock, 'after'> = systemClock()) {}

  /** Has to be called before the response ends, because Node.js then reads the rest of the body itself. */
  drop(request: UnreadRequest): void {
    if (request.complete) return;
    request.on('data', (part: Buffer) => this.#count(request, part.length));
    request.on('close', () => this.#paused.delete(request));
  }

  #count(request: UnreadRequest, bytes: number): void {
    this.#left -= bytes;
    if (this.#left <= 0) {
      request.pause();
      this.#paused.add(request);
    }
    this.#refillLater();
  }

  #refillLater(): void {
    if (this.#isTimed) return;
    this.#isTimed = true;
    this.clock.after(INTERVAL_MS, () => this.#refill());
  }

  #refill(): void {
    this.#isTimed = false;
    this.#left = Math.min(AT_ONCE_BYTES, this.#left + AT_ONCE_BYTES);
    for (const request of [...this.#paused].slice(0, Math.max(0, Math.ceil(this.#left / CHUNK_BYTES)))) {
      this.#paused.delete(request);
      request.resume();
    }
    // Those that continue may have nothing to read.
    if (this.#left < AT_ONCE_BYTES || this.#paused.size > 0) this.#refillLater();
  }
}
