import { MINUTE_MS, SECOND_MS } from '@switchyard/base';
import type { ScriptInterpreter } from '../interpreter';
import { warmCommand } from '../python-environment';
import { WarmWorker, type WorkerLimits } from './warm-worker';

export interface WarmLimits extends WorkerLimits {
  /** Maximum number of workers. Beyond it, the least recently used one is dropped. */
  readonly most: number;
  /** An idle worker exits after this time. */
  readonly idleMs: number;
  /** Pause before retrying an interpreter whose worker failed. */
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

/** The warm workers of this process, one per interpreter, started on demand. */
export class WarmWorkers {
  readonly #limits: WarmLimits;
  /** By interpreter path, least recently used first. */
  readonly #kept = new Map<string, Kept>();
  readonly #leaving = new Set<Promise<void>>();
  readonly #failed = new Map<string, number>();

  constructor(limits: Partial<WarmLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** @returns undefined when no worker is available */
  get(interpreter: ScriptInterpreter, environment: Readonly<Record<string, string>>): WarmWorker | undefined {
    // Other systems support neither markers nor opening another process's descriptors.
    if (process.platform !== 'linux' || this.#isPaused(interpreter)) return undefined;
    const { python, version } = interpreter;
    const known = this.#kept.get(python);
    if (known !== undefined && known.version !== version) this.#drop(python, known);
    else if (known !== undefined && (known.worker.hasRefused || !known.worker.isOpen)) {
      // A closed worker has just exited by itself; `gone` has not settled yet.
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

  /** Retires all workers; each exits after its last run. */
  async close(): Promise<void> {
    for (const [python, kept] of this.#kept) this.#drop(python, kept);
    await Promise.all(this.#leaving);
  }

  #start(interpreter: ScriptInterpreter, environment: Readonly<Record<string, string>>): Kept {
    const { python, version } = interpreter;
    const onIdle = () => this.#whenIdle(python, kept);
    const worker = new WarmWorker(warmCommand(python), environment, this.#limits, onIdle);
    const kept: Kept = { worker, version };
    const leaving = worker.gone.then(() => {
      this.#leaving.delete(leaving);
      if (this.#kept.get(python) !== kept) return;
      // It exited by itself; the next one might, too.
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

  #pause(interpreter: ScriptInterpreter): void {
    this.#failed.set(key(interpreter), performance.now());
  }

  #isPaused(interpreter: ScriptInterpreter): boolean {
    const failedAt = this.#failed.get(key(interpreter));
    return failedAt !== undefined && performance.now() - failedAt < this.#limits.pauseMs;
  }
}

const key = ({ python, version }: ScriptInterpreter): string => `${python}\0${version}`;
