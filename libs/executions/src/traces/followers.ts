import type { Id } from '@switchyard/base';
import type { ExecutionRecord, TraceComponent, TraceRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { keysOfExecution } from '@switchyard/triggers';
import { executionComponent, instanceComponent } from './components';

/** What belongs to a trace without being noted in it. */
export interface Followers {
  readonly executions: readonly TraceComponent[];
  readonly instances: readonly TraceComponent[];
}

/** A trace is shown with no more than this many of each. */
const MOST = 1000;
const TOGETHER = 100;
const INSTANCE_FIELDS = ['trigger', 'occurrence_time', 'payload.execution_id', 'payload.__context'];
const FIELDS = ['_id', 'action_ref', 'start_timestamp', 'context', 'parent', 'has_children'];

/** The descendants of a trace's executions, and the instances that tell of an end of one of them all. */
export async function followersOf(
  store: Pick<Store, 'executions' | 'triggerInstances'>,
  { action_executions: noted }: Pick<TraceRecord, 'action_executions'>,
): Promise<Followers> {
  const roots = noted.slice(-MOST).map(({ object_id: id }) => id);
  const descendants = await descendantsOf(store, roots);
  const ids = [...roots, ...descendants.map(({ _id }) => _id)].slice(0, MOST);
  return { executions: descendants.map(executionComponent), instances: await instancesOf(store, ids) };
}

async function descendantsOf({ executions }: Pick<Store, 'executions'>, roots: readonly Id[]) {
  const found: ExecutionRecord[] = [];
  let parents = await withChildren({ executions }, roots);
  while (parents.length > 0 && found.length < MOST) {
    const filter = { parent: { $in: parents.slice(0, TOGETHER) } };
    const children = await executions.list({
      filter,
      sort: { start_timestamp: 1 },
      limit: MOST - found.length,
      fields: FIELDS,
    });
    found.push(...children);
    parents = [...parents.slice(TOGETHER), ...children.filter((child) => child.has_children).map(({ _id }) => _id)];
  }
  return found;
}

async function withChildren({ executions }: Pick<Store, 'executions'>, ids: readonly Id[]): Promise<Id[]> {
  if (ids.length === 0) return [];
  const records = await executions.list({ filter: { _id: { $in: [...ids] } }, fields: ['_id', 'has_children'] });
  return records.filter((record) => record.has_children).map(({ _id }) => _id);
}

async function instancesOf({ triggerInstances }: Pick<Store, 'triggerInstances'>, ids: readonly Id[]) {
  const found: TraceComponent[] = [];
  for (const id of ids) {
    if (found.length >= MOST) break;
    const filter = { request_key: keysOfExecution(id) };
    const instances = await triggerInstances.list({ filter, limit: MOST - found.length, fields: INSTANCE_FIELDS });
    found.push(...instances.map(instanceComponent));
  }
  return found.sort((a, b) => a.updated_at - b.updated_at);
}
