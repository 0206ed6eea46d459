import { MINUTE_MS, SECOND_MS } from '@switchyard/base';
import type { Interpreter } from '../interpreter';
import { warmCommand } from '../programs';
import { WarmWorker, type WorkerLimits } from './warm-worker';

export interface WarmLimits extends WorkerLimits {
  /** So many interpreters are kept; of more than that, the one that was used least recently goes. */
  readonly most: number;
  /** One without work ends after so long. */
  readonly idleMs: number;
  /** An interpreter in which no worker stays alive gets no further try for so long. */
  readonly pauseMs: number;
}

const LIMITS: WarmLimits = {
  most: 8,
  idleMs: 5 * MINUTE_MS,
  pauseMs: MINUTE_MS,
  beginMs: 30 * SECOND_MS,
  lookMs: 5 * SECOND_MS,
};

interface Kept {
  readonly worker: WarmWorker;
  readonly version: string;
  idle?: NodeJS.Timeout;
}

/** The warm workers of this process, one for each interpreter, started when they are needed. */
export class WarmWorkers {
  readonly #limits: WarmLimits;
  /** By the path of the interpreter, in the order of use. */
  readonly #kept = new Map<string, Kept>();
  readonly #leaving = new Set<Promise<void>>();
  readonly #failed = new Map<string, number>();

  constructor(limits: Partial<WarmLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** @returns undefined where there can be none at present */
  get(interpreter: Interpreter, environment: Readonly<Record<string, string>>): WarmWorker | undefined {
    // Elsewhere nobody can be recognised by a marker, nor opens the descriptors of another process.
    if (process.platform !== 'linux' || this.#isPaused(interpreter)) return undefined;
    const { python, version } = interpreter;
    const known = this.#kept.get(python);
    if (known !== undefined && known.version !== version) this.#drop(python, known);
    else if (known !== undefined && (known.worker.hasRefused || !known.worker.isOpen)) {
      // One that is not open has ended by itself a moment ago: `gone` has not settled yet.
      this.#pause(interpreter);
      this.#drop(python, known);
      return undefined;
    }
    const kept = this.#kept.get(python) ?? this.#start(interpreter, environment);
    clearTimeout(kept.idle);
    this.#kept.delete(python);
    this.#kept.set(python, kept);
    const [eldest] = this.#kept;
    if (eldest !== undefined && this.#kept.size > this.#limits.most) this.#drop(...eldest);
    return kept.worker;
  }

  /** Ends all of them, each after its last run. */
  async close(): Promise<void> {
    for (const [python, kept] of this.#kept) this.#drop(python, kept);
    await Promise.all(this.#leaving);
  }

  #start(interpreter: Interpreter, environment: Readonly<Record<string, string>>): Kept {
    const { python, version } = interpreter;
    const onIdle = () => this.#whenIdle(python, kept);
    const worker = new WarmWorker(warmCommand(python), environment, this.#limits, onIdle);
    const kept: Kept = { worker, version };
    const leaving = worker.gone.then(() => {
      this.#leaving.delete(leaving);
      if (this.#kept.get(python) !== kept) return;
      // It went by itself: perhaps the next one will, too.
      this.#pause(interpreter);
      this.#drop(python, kept);
    });
    this.#leaving.add(leaving);
    return kept;
  }

  #whenIdle(python: string, kept: Kept): void {
    if (this.#kept.get(python) === kept)
      kept.idle = setTimeout(() => this.#drop(python, kept), this.#limits.idleMs).unref();
  }

  #drop(python: string, kept: Kept): void {
    clearTimeout(kept.idle);
    this.#kept.delete(python);
    kept.worker.retire();
  }

  #pause(interpreter: Interpreter): void {
    this.#failed.set(key(interpreter), performance.now());
  }

  #isPaused(interpreter: Interpreter): boolean {
    const failedAt = this.#failed.get(key(interpreter));
    return failedAt !== undefined && performance.now() - failedAt < this.#limits.pauseMs;
  }
}

const key = ({ python, version }: Interpreter): string => `${python}\0${version}`;
