import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { fault, SECOND_MS } from '@switchyard/base';
import { DefinitionError, type FlatFinding, type KnownActions } from '@switchyard/workflow';

export interface Inspection {
  readonly text: string;
  /** Names of variables that are known beforehand. */
  readonly context: readonly string[];
  /** Looks up the actions that the definition names. */
  readonly actionsOf: (references: readonly string[]) => Promise<KnownActions>;
}

/** Inspects definitions one after the other, each in a thread of its own that may be ended. */
export interface InspectionThread {
  /** @throws DefinitionError; Fault `workflow.too-costly`, or `workflow.busy` when too many are waiting */
  inspect(inspection: Inspection): Promise<FlatFinding[]>;
}

/** Far more than the largest definition that is read takes. */
const LONGEST_MS = 30 * SECOND_MS;
const MEMORY_MB = 512;

export interface ThreadLimits {
  /** Inspections that may wait; each holds its text. */
  readonly mostWaiting: number;
  /** How long one may take. */
  readonly longestMs?: number;
}

export function inspectionThread({ mostWaiting, longestMs = LONGEST_MS }: ThreadLimits): InspectionThread {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    async inspect(inspection) {
      if (waiting >= mostWaiting) throw fault('workflow.busy');
      waiting++;
      const inspected = last.then(() => inspectInThread(inspection, longestMs));
      last = inspected.catch(() => undefined);
      try {
        return await inspected;
      } finally {
        waiting--;
      }
    },
  };
}

interface Answer {
  readonly names?: readonly string[];
  readonly findings?: FlatFinding[];
  readonly refusal?: string;
}

async function inspectInThread({ text, context, actionsOf }: Inspection, longestMs: number): Promise<FlatFinding[]> {
  const worker = new Worker(join(__dirname, 'inspection-worker.mjs'), {
    workerData: { text, context },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(tooCostly(`${longestMs / SECOND_MS} seconds`)), longestMs);
      worker.on('error', (error) => reject(isOutOfMemory(error) ? tooCostly(`${MEMORY_MB} MB of memory`) : error));
      worker.on('message', ({ names, findings, refusal }: Answer) => {
        if (refusal !== undefined) reject(new DefinitionError(refusal));
        else if (findings) resolve(findings);
        else actionsOf(names ?? []).then((known) => worker.postMessage(known), reject);
      });
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

const tooCostly = (limit: string) => fault('workflow.too-costly', { limit });

const isOutOfMemory = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
