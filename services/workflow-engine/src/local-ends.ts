import { messageOf, together } from '@switchyard/base';
import type { LocalEngine } from '@switchyard/executions';
import { retrying } from '@switchyard/host';
import type { ExecutionRecord } from '@switchyard/model';
import type { Engine } from './run';
import type { RunRegistry } from './run-registry';

interface LocalEndsDeps {
  engine: Pick<Engine, 'executions' | 'clock' | 'logger' | 'metrics'>;
  registry: Pick<RunRegistry, 'has' | 'tell'>;
}

/** The ends of actions that runners of this process record. */
interface LocalEnds {
  /** Begins to take them. */
  start(): void;
  /** Takes no more, and waits for those that are being processed. */
  stop(): Promise<void>;
  /** Takes no more. */
  kill(): void;
}

/**
 * Takes the ends of actions of runs in memory directly from the code that records them in this process, see
 * `LocalEngine`. They have no `due` mark and no message. Ends of the same moment are processed in one turn.
 *
 * 1. Only while no other process uses the store (`Executions.offerEngine`): then everything dies together, and the next process takes over the run and looks at its actions.
 * 2. If the run does not process an end, the action is marked as due and a message is sent, as if the run had not been in memory.
 */
export function createLocalEnds({ engine, registry }: LocalEndsDeps): LocalEnds {
  const { executions, clock, logger, metrics } = engine;
  const underway = new Set<Promise<void>>();
  let withdraw: (() => void) | undefined;
  const tellTogether = together((ends: readonly ExecutionRecord[]) => Promise.allSettled(ends.map(processEnd)));

  /** @returns false when the run is no longer in memory */
  async function processEnd(child: ExecutionRecord): Promise<boolean> {
    const { workflow_execution: workflow } = child;
    if (workflow === undefined || !registry.has(workflow)) return false;
    await registry.tell(workflow, { child });
    return true;
  }

  async function take(child: ExecutionRecord): Promise<void> {
    const startMs = clock.monotonicMs();
    const outcome = withdraw && (await tellTogether(child));
    if (outcome?.status === 'fulfilled' && outcome.value)
      return metrics.time('orquesta.action.executions', clock.monotonicMs() - startMs);
    await retrying(() => leaveToEngines(child), { clock, again: () => withdraw !== undefined });
  }

  async function leaveToEngines({ _id: id }: ExecutionRecord): Promise<void> {
    const marked = await executions.records.mark(id, 'workflow-engine', clock.nowMicros());
    if (marked) executions.announce.remind(marked);
  }

  const taker: LocalEngine = {
    hasRun: registry.has,
    hearEnd(child) {
      const taken = take(child)
        .catch((error: unknown) =>
          logger.warn('The end of an action was not processed; the next engine will find it.', {
            execution_id: child._id,
            error: messageOf(error),
          }),
        )
        .finally(() => underway.delete(taken));
      underway.add(taken);
    },
  };

  const kill = () => {
    withdraw?.();
    withdraw = undefined;
  };
  return {
    start() {
      withdraw = executions.offerEngine(taker);
    },
    async stop() {
      kill();
      await Promise.all(underway);
    },
    kill,
  };
}
