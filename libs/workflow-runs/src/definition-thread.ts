import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { fault, SECOND_MS } from '@switchyard/base';
import { DefinitionError, RehearsalError, type Position } from '@switchyard/workflow';

/** Far more than the largest accepted definition takes. */
const LONGEST_MS = 30 * SECOND_MS;
const MEMORY_MB = 512;

/** What the work in a thread may cost. */
export interface TimeAndMemory {
  readonly longestMs?: number;
  readonly mostMemoryMb?: number;
}

/** The message of a thread that could not read the text. */
interface Refused {
  readonly refusal?: { readonly message: string; readonly position?: Position; readonly isOfRehearsal: boolean };
}

/** The thread, for work that needs several messages. */
interface ThreadAtWork {
  readonly send: (message: unknown) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Runs one piece of work in a thread, and terminates the thread.
 * @param read returns the result in a message of the thread, or undefined to wait for the next message
 * @throws DefinitionError for a text that is not a definition, RehearsalError; Fault `workflow.too-costly`
 */
export async function inThread<M extends object, T>(
  workerData: object,
  { longestMs = LONGEST_MS, mostMemoryMb = MEMORY_MB }: TimeAndMemory,
  read: (message: M, thread: ThreadAtWork) => T | undefined,
): Promise<T> {
  const worker = new Worker(join(__dirname, 'definition-worker.mjs'), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(tooCostly(`${longestMs / SECOND_MS} seconds`)), longestMs);
      worker.on('error', (error) => reject(isOutOfMemory(error) ? tooCostly(`${mostMemoryMb} MB of memory`) : error));
      worker.on('message', (message: M & Refused) => {
        const { refusal } = message;
        if (refusal) return reject(refusedWith(refusal));
        const result = read(message, { send: (reply) => worker.postMessage(reply), fail: reject });
        if (result !== undefined) resolve(result);
      });
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

const refusedWith = ({ message, position, isOfRehearsal }: NonNullable<Refused['refusal']>): DefinitionError =>
  new (isOfRehearsal ? RehearsalError : DefinitionError)(message, position);

const tooCostly = (limit: string) => fault('workflow.too-costly', { limit });

const isOutOfMemory = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
