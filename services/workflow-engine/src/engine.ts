import { isFault, MIB, type Clock, type Id } from '@switchyard/base';
import { expressionLimits, type Config } from '@switchyard/config';
import type { ConfigFor, Executions, LookupFor } from '@switchyard/executions';
import type { ExecutionRecord } from '@switchyard/model';
import type { StoreWithoutExecutions } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import type { ConductorLimits } from '@switchyard/workflow';
import type { WorkflowJournal } from '@switchyard/workflow-runs';
import type { DefinitionCache } from './definition-cache';

/** What the parts of an engine share. */
export interface Engine {
  readonly config: Config;
  readonly store: StoreWithoutExecutions;
  readonly executions: Executions;
  readonly journal: WorkflowJournal;
  readonly definitions: DefinitionCache;
  readonly lookupFor?: LookupFor | undefined;
  readonly configFor?: ConfigFor | undefined;
  /** Address of the API with its version. */
  readonly apiUrl: string;
  /** Id of this process among the engines. */
  readonly instance: Id;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'time' | 'shift'>;
}

/** Items dispatched at once. More follow in the same turn, and other work runs in between. */
const ITEMS_AT_ONCE = 100;

/** The limits of one run. */
export const conductorLimits = ({ workflow_engine: options, limits }: Config): ConductorLimits => ({
  entries: options.max_tasks,
  items: options.max_items,
  itemsAtOnce: ITEMS_AT_ONCE,
  publishedBytes: options.max_published_mb * MIB,
  expressions: expressionLimits({ limits }),
});

/** The user an execution runs for, or the first user found under the given context members. */
export function userOf({ context }: Pick<ExecutionRecord, 'context'>, ...names: string[]): string {
  for (const name of [...names, 'user']) {
    const user = context[name];
    if (typeof user === 'string' && user !== '') return user;
  }
  return '';
}

/** Ignores faults of a request to an execution that has ended or changed in the meantime: the run learns of that by a message. */
export async function tolerant(ask: () => Promise<unknown>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (!isFault(error) || error.status >= 500) throw error;
  }
}
