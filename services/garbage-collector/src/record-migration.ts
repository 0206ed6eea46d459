import { messageOf, SECOND_MS, type Clock } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import { createTask, type Task } from '@switchyard/host';
import type { Store } from '@switchyard/storage';
import type { Logger } from '@switchyard/telemetry';

export interface RecordMigrationDeps {
  readonly config: Pick<Config, 'garbagecollector'>;
  readonly store: Pick<Store, 'migrations'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Batches take at most a tenth of the time. */
const PAUSE_FACTOR = 9;

/**
 * Brings stored records to the form of this version, in short steps with pauses between them. While programs of the last version
 * can still open the store, it looks for new records in the old form at intervals.
 */
export function recordMigration({ config, store, clock, logger }: RecordMigrationDeps, isLeader: () => boolean): Task {
  let pass: ReturnType<Store['migrations']['pass']> | undefined;
  let changed = 0;
  const task = createTask({
    clock,
    everyMs: config.garbagecollector.collection_interval * SECOND_MS,
    onError(error) {
      pass = undefined;
      logger.error('Failed to migrate stored records; retrying.', { error: messageOf(error) });
    },
    async run() {
      if (!isLeader()) {
        pass = undefined;
        return;
      }
      const startMs = clock.monotonicMs();
      pass ??= store.migrations.pass(clock.nowMicros);
      const { value, done } = await pass.next();
      changed += value?.changed ?? 0;
      if (!done) return task.wakeIn((clock.monotonicMs() - startMs) * PAUSE_FACTOR);
      if (changed > 0) logger.info('Migrated stored records.', { changed });
      [pass, changed] = [undefined, 0];
    },
  });
  return task;
}
