import { MINUTE_MS, SECOND_MS } from '@switchyard/base';
import { makePipes, OutputCapture } from '../process-output';
import { followProcess, type ChildRun, type ProcessOptions } from '../process-run';
import { startProcess } from '../start-process';
import { ServerInterpreter } from './server-interpreter';
import { SpawnServer, type SpawnServerLimits } from './spawn-server';

const LIMITS: SpawnServerLimits = {
  readyMs: 5 * SECOND_MS,
  silentMs: 2 * SECOND_MS,
  answerMs: 30 * SECOND_MS,
  lookMs: 2 * SECOND_MS,
  idleMs: 5 * MINUTE_MS,
};

/** How long processes are started directly after a server could not be used. */
const PAUSE_MS = MINUTE_MS;

type Warn = (message: string, fields: Record<string, unknown>) => void;

/**
 * Starts processes through a spawn server, which is much cheaper for a process with much memory. The server starts on
 * demand and exits when it is idle. Processes that it cannot start are started directly.
 */
export class ProcessStarter {
  readonly #interpreter: ServerInterpreter;
  readonly #limits: SpawnServerLimits;
  readonly #leaving = new Set<Promise<void>>();
  #server: SpawnServer | undefined;
  #failedMs = -Infinity;
  #hasWarned = false;

  /** @param python the interpreter that runs the server */
  constructor(python: string | ServerInterpreter, limits: Partial<SpawnServerLimits> = {}) {
    this.#interpreter = typeof python === 'string' ? new ServerInterpreter(python) : python;
    this.#limits = { ...LIMITS, ...limits };
  }

  /** The process id of the server, if there is one. */
  get serverPid(): number | undefined {
    return this.#server?.pid;
  }

  /** Starts a process like `startProcess`. @param warn is called once if there can be no server */
  async start(options: ProcessOptions, warn: Warn): Promise<ChildRun> {
    const server = SpawnServer.accepts(options) ? await this.#usableServer(warn) : undefined;
    const outcome = (await server?.start(options)) ?? 'not-started';
    if (outcome === 'not-started') return startProcess(options);
    return outcome === 'lost' ? lostRun() : followProcess(outcome, options);
  }

  /**
   * The reading ends of pipes for the output of a process that other code starts. They come from the server if it is usable, because this process
   * would have to start a program to create them.
   * @returns undefined if none can be created
   */
  async takePipes(count: number, warn: Warn): Promise<number[] | undefined> {
    const server = await this.#usableServer(warn);
    return (await server?.takePipes(count)) ?? makePipes(count);
  }

  /** Ends the server after its last process. A later start creates a new one. */
  async close(): Promise<void> {
    this.#server?.retire();
    this.#server = undefined;
    await Promise.all(this.#leaving);
  }

  async #usableServer(warn: Warn): Promise<SpawnServer | undefined> {
    if (process.platform !== 'linux') return undefined;
    const server = this.#server ?? this.#begin(warn);
    if (server === undefined || !(await server.ready)) return undefined;
    if (server.isOpen) return server;
    // It hangs, or has just ended. It exits after its last process, and the next start creates a new one.
    server.retire();
    if (this.#server === server) this.#server = undefined;
    return undefined;
  }

  #begin(warn: Warn): SpawnServer | undefined {
    if (performance.now() - this.#failedMs < PAUSE_MS) return undefined;
    const server = newServer(this.#interpreter.program(), this.#limits);
    if (server === undefined) return undefined;
    this.#server = server;
    const leaving = Promise.all([server.ready, server.gone]).then(([wasReady]) => {
      this.#leaving.delete(leaving);
      if (this.#server === server) this.#server = undefined;
      if (server.failure !== undefined) this.#onFailure(server.failure, wasReady, warn);
    });
    this.#leaving.add(leaving);
    void server.ready.then((isReady) => isReady && server.pid !== undefined && this.#interpreter.remember(server.pid));
    return server;
  }

  #onFailure(reason: string, wasReady: boolean, warn: Warn): void {
    if (wasReady) return warn('The spawn server ended unexpectedly; the next process starts another one.', { reason });
    this.#interpreter.forget();
    this.#failedMs = performance.now();
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    warn('Processes are started directly, which is slower: the spawn server cannot run.', { reason });
  }
}

/** @returns undefined if this process has no resources for another one now */
function newServer(python: string, limits: SpawnServerLimits): SpawnServer | undefined {
  try {
    return new SpawnServer(python, limits);
  } catch {
    return undefined;
  }
}

function lostRun(): ChildRun {
  const empty = new OutputCapture(0).finish();
  const result = { cause: 'lost', exitCode: null, signal: null, stdout: empty, stderr: empty, survivors: [] } as const;
  return { identity: undefined, channels: [], result: Promise.resolve(result), end: () => undefined };
}
