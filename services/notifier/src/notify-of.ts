import { isPlainObject } from '@switchyard/base';
import type { ExecutionRecords } from '@switchyard/executions';
import type { ExecutionRecord, NotifySpec } from '@switchyard/model';
import type { Store } from '@switchyard/storage';

interface Sources {
  readonly records: Pick<ExecutionRecords, 'get'>;
  readonly definitions: Pick<Store['definitions'], 'get'>;
}

/**
 * The notifications of an ended execution. A chain may exclude tasks (`skip_notify`); then only the chain's own
 * specification for them counts (interface sheet "execution", 15.2). Tasks of other workflows are decided when they are
 * requested.
 */
export async function notifyOf(sources: Sources, record: ExecutionRecord): Promise<NotifySpec | undefined> {
  const task = record.context['chain'];
  if (!record.notify || !isPlainObject(task) || record.parent === undefined) return record.notify;
  const parent = await sources.records.get(record.parent);
  if (!parent || !(await skipped(sources, parent)).includes(task['name'])) return record.notify;
  return isSpec(task['notify']) ? task['notify'] : parent.notify;
}

/** The tasks that the chain was asked to exclude, or that its action excludes by default. */
async function skipped(
  { definitions }: Sources,
  { parameters, definition }: Pick<ExecutionRecord, 'parameters' | 'definition'>,
): Promise<readonly unknown[]> {
  const given = parameters['skip_notify'];
  if (Array.isArray(given) && given.length > 0) return given as unknown[];
  const preset = (await definitions.get(definition))?.action.parameters['skip_notify']?.['default'];
  return Array.isArray(preset) ? (preset as unknown[]) : [];
}

const isSpec = (value: unknown): value is NotifySpec => isPlainObject(value) && Object.keys(value).length > 0;
