import { deferred } from '@switchyard/base';
import type { RunnerPlugin, RunRequest, RunAbilities, RunResult } from '@switchyard/runners';
import { gathered, type Gathered } from '../gathered';

/** A run of the manual runner, controlled by the test. */
export interface ManualRun {
  readonly request: RunRequest;
  readonly abilities: RunAbilities;
  /** True after the request to stop. */
  readonly canceled: boolean;
  /** Resolves at the request to stop. */
  readonly cancelAsked: Promise<void>;
  end(result?: Partial<RunResult>): void;
}

export interface ManualRunner extends RunnerPlugin {
  /** Every run, in the order in which they began. */
  readonly runs: Gathered<ManualRun>;
  /** Runs of one execution. */
  runsOf(executionId: string): readonly ManualRun[];
  /** Resolves with the run number `count` of an execution. */
  runOf(executionId: string, count?: number): Promise<ManualRun>;
}

export interface ManualOptions {
  name?: string;
  /** Called when a run should stop; by default it ends as canceled. */
  onCancel?: (run: ManualRun) => void;
  /** Each run ends immediately. */
  endsAtOnce?: boolean;
}

/** A runner whose runs wait for the test to end them. */
export function manualRunner({ name = 'manual', onCancel, endsAtOnce = false }: ManualOptions = {}): ManualRunner {
  const runs = gathered<ManualRun>();
  const runsOf = (id: string) => runs.items.filter(({ request }) => request.executionId === id);
  return {
    manifest: {
      name,
      description: 'Waits for the test.',
      enabled: true,
      runner_package: name,
      runner_module: name,
      runner_parameters: {},
      output_schema: {},
      output_key: 'output',
    },
    startsProcess: false,
    runs,
    runsOf,
    async runOf(id, count = 1) {
      await runs.until(() => runsOf(id).length >= count);
      return runsOf(id)[count - 1]!;
    },
    run(request, abilities) {
      const result = deferred<RunResult>();
      const asked = deferred();
      let canceled = false;
      const run: ManualRun = {
        request,
        abilities,
        get canceled() {
          return canceled;
        },
        cancelAsked: asked.promise,
        end: (given = {}) => result.resolve({ status: 'succeeded', result: {}, ...given }),
      };
      runs.add(run);
      if (endsAtOnce) run.end();
      return {
        result: result.promise,
        cancel() {
          canceled = true;
          asked.resolve();
          if (onCancel) onCancel(run);
          else run.end({ status: 'canceled' });
        },
      };
    },
  };
}
