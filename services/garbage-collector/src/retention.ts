import { DAY_MS, HOUR_MS, messageOf, MS_MICROS, SECOND_MS, type Clock } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import type { Executions } from '@switchyard/executions';
import { createTask, type Task } from '@switchyard/host';
import type { PurgeKind, PurgeStep } from '@switchyard/model';
import type { Logger } from '@switchyard/telemetry';
import { openArchive } from './archive';
import type { AwsEnvironment } from './s3-bucket';

export interface RetentionDeps {
  readonly config: Pick<Config, 'garbagecollector'>;
  readonly executions: Pick<Executions, 'removal' | 'results'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Has the credentials for S3 if no option does. */
  readonly environment?: AwsEnvironment;
}

/** The number of records that a step examines. */
const STEP = 50;
/** Steps take at most a tenth of the time. */
const PAUSE_FACTOR = 9;
/** Steps within an hour choose the same records, if that is needed. */
const SAME_MICROS = HOUR_MS * MS_MICROS;

/** Records of one kind that are removed when they are old. */
interface Rule {
  readonly kind: PurgeKind | 'output';
  readonly days: number;
}

/**
 * Removes records that are older than their option `garbagecollector.*_ttl`, in short steps with pauses between them.
 * @returns undefined if all records are kept
 */
export function retention(deps: RetentionDeps, isLeader: () => boolean): Task | undefined {
  const { config, executions, clock, logger } = deps;
  const { collection_interval: seconds } = config.garbagecollector;
  const rules = rulesOf(config.garbagecollector);
  if (rules.length === 0) return undefined;
  const archive = openArchive(deps);
  let at = 0;
  let after: string | undefined;
  let removed = 0;

  const step = ({ kind, days }: Rule): Promise<PurgeStep> => {
    const now = clock.nowMicros();
    const before = now - (archive?.needsSameSteps ? now % SAME_MICROS : 0) - days * DAY_MS * MS_MICROS;
    if (kind === 'output') return executions.removal.outputStep(before, STEP);
    const keepCopies = archive?.keeperOf(kind);
    const options = { limit: STEP, ...(after === undefined ? {} : { after }), ...(keepCopies ? { keepCopies } : {}) };
    return executions.removal.step(kind, { before }, options);
  };
  const goOn = ({ kind, days }: Rule, { removed: more, next }: PurgeStep): void => {
    removed += more;
    after = next;
    if (next !== undefined) return;
    if (removed > 0) logger.info('Removed old records.', { kind, removed, days });
    removed = 0;
    at = (at + 1) % rules.length;
  };
  const startAgain = (): void => {
    [at, after, removed] = [0, undefined, 0];
  };
  const task = createTask({
    clock,
    everyMs: seconds * SECOND_MS,
    onError(error) {
      startAgain();
      logger.error('Failed to remove old records; retrying.', { error: messageOf(error) });
    },
    async run() {
      if (!isLeader()) return startAgain();
      const startMs = clock.monotonicMs();
      if (at === 0 && after === undefined) await executions.removal.complete();
      const rule = rules[at]!;
      goOn(rule, await step(rule));
      if (at !== 0 || after !== undefined) task.wakeIn((clock.monotonicMs() - startMs) * PAUSE_FACTOR);
    },
  });
  return task;
}

function rulesOf(options: Config['garbagecollector']): readonly Rule[] {
  const all: readonly { kind: Rule['kind']; days: number | null }[] = [
    { kind: 'executions', days: options.action_executions_ttl },
    { kind: 'output', days: options.action_executions_output_ttl },
    { kind: 'trigger-instances', days: options.trigger_instances_ttl },
    { kind: 'traces', days: options.traces_ttl },
    { kind: 'rule-enforcements', days: options.rule_enforcements_ttl },
    { kind: 'workflows', days: options.workflow_executions_ttl },
  ];
  return all.flatMap(({ kind, days }) => (days === null || days === 0 ? [] : [{ kind, days }]));
}
