import { messageOf } from '@switchyard/base';
import { startProcess, type ChildRun, type ProcessOptions } from '@switchyard/subprocess';
import type { ActionDocument } from './action-document';
import { ResultLine } from './result-line';
import { startWarm } from './warm/start-warm';
import type { WarmWorker } from './warm/warm-worker';

/** A run whose process has begun: in a warm worker, or in an interpreter of its own. */
export interface PythonRun {
  readonly child: ChildRun;
  readonly line: ResultLine | undefined;
  /** Why it failed, when that was not the doing of its process. */
  failure?: string;
}

/** @param warn gets the reason why a warm worker could not take the run */
export async function startPythonRun(
  document: ActionDocument,
  pythonPath: readonly string[],
  options: ProcessOptions,
  worker: WarmWorker | undefined,
  warn: (reason: string) => void,
): Promise<PythonRun> {
  if (worker === undefined) return startIsolated(document, options);
  try {
    return await startWarm(worker, document, pythonPath, options);
  } catch (thrown) {
    // Nothing of the action has run: `startWarm` is sure of it.
    warn(messageOf(thrown));
    return startIsolated(document, options);
  }
}

function startIsolated(document: ActionDocument, options: ProcessOptions): PythonRun {
  const child = startProcess({ ...options, channels: 1 });
  const [channel] = child.channels;
  if (channel === undefined) return { child, line: undefined };
  const line = new ResultLine(channel);
  channel.write(`${JSON.stringify(document)}\n`);
  return { child, line };
}
