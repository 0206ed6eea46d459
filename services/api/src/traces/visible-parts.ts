import type { Requester } from '@switchyard/http';
import type { TraceComponent, TraceComponentKind } from '@switchyard/model';
import { isOneOf, where, type Filter } from '@switchyard/storage';
import type { ApiDependencies } from '../api-dependencies';
import { visibleExecutions } from '../executions/execution-permissions';
import { visibleRecords, type Visibility } from '../permissions/visible-records';
import { visibleRules } from '../rules/rule-permissions';
import { visibleInstances } from '../triggers/trigger-permissions';

type View = Readonly<Record<string, unknown>>;
type Part = Pick<TraceComponent, 'object_id' | 'caused_by'>;

/** The parts of traces that somebody may view. */
export interface VisibleParts {
  /** A trace without hidden parts and hidden causes. */
  of(trace: View): Promise<View>;
  /** Whether all of these parts, by their ids, may be viewed. */
  shows(parts: Readonly<Partial<Record<TraceComponentKind, string | undefined>>>): Promise<boolean>;
}

const EVERY_PART: VisibleParts = { of: (trace) => Promise.resolve(trace), shows: () => Promise.resolve(true) };

/** Which of some ids belong to records that may be viewed. */
type FindVisible = (ids: readonly string[]) => Promise<ReadonlySet<string>>;

const everyId: FindVisible = (ids) => Promise.resolve(new Set(ids));

export async function visibleParts(deps: ApiDependencies, viewer: Requester): Promise<VisibleParts> {
  const { store, executions } = deps;
  const finds: Readonly<Record<TraceComponentKind, FindVisible>> = {
    action_executions: await finder(deps, viewer, visibleExecutions, executions.records),
    rules: await finder(deps, viewer, visibleRules, store.rules),
    trigger_instances: await finder(deps, viewer, visibleInstances(store), store.triggerInstances),
  };
  if (Object.values(finds).every((find) => find === everyId)) return EVERY_PART;
  return {
    of: (trace) => withoutHidden(finds, trace),
    async shows(parts) {
      for (const kind of KINDS) {
        const id = parts[kind];
        if (id !== undefined && !(await finds[kind]([id])).has(id)) return false;
      }
      return true;
    },
  };
}

const KINDS: readonly TraceComponentKind[] = ['action_executions', 'rules', 'trigger_instances'];

interface Readable<T> {
  list(page: { readonly filter: Filter<T>; readonly fields: readonly ['_id'] }): Promise<Pick<T & Identified, '_id'>[]>;
}

interface Identified {
  readonly _id: string;
}

async function finder<T extends { _id: string }>(
  deps: ApiDependencies,
  viewer: Requester,
  visibility: Visibility<T>,
  records: Readable<T>,
): Promise<FindVisible> {
  const everything: Filter<T> = {};
  const visible = await visibleRecords(deps, viewer, visibility, everything);
  if (visible === everything) return everyId;
  return async (ids) => {
    if (ids.length === 0) return new Set();
    const filter = { ...visible, ...where<T>('_id', isOneOf(new Set(ids))) };
    return new Set((await records.list({ filter, fields: ['_id'] })).map(({ _id }) => _id));
  };
}

async function withoutHidden(finds: Readonly<Record<TraceComponentKind, FindVisible>>, trace: View): Promise<View> {
  const parts = KINDS.filter((kind) => Array.isArray(trace[kind])).map(
    (kind) => [kind, trace[kind] as readonly Part[]] as const,
  );
  // Causes may be parts that the trace does not list.
  const asked = new Map(KINDS.map((kind) => [kind, new Set<string>()]));
  for (const [kind, some] of parts)
    for (const { object_id: id, caused_by } of some)
      for (const [of, each] of [[kind, id] as const, ...causesOf(caused_by)]) asked.get(of)?.add(each);
  const seen = new Map<TraceComponentKind, ReadonlySet<string>>();
  for (const [kind, ids] of asked) seen.set(kind, await finds[kind]([...ids]));
  const isSeen = (kind: TraceComponentKind, id: string) => seen.get(kind)?.has(id) === true;
  const shown = parts.map(([kind, some]) => [
    kind,
    some
      .filter(({ object_id: id }) => isSeen(kind, id))
      .map((part) =>
        causesOf(part.caused_by).every(([of, id]) => isSeen(of, id)) ? part : { ...part, caused_by: {} },
      ),
  ]);
  return { ...trace, ...(Object.fromEntries(shown) as View) };
}

/** A rule is the cause together with its trigger instance: `<id of the rule>:<id of the instance>`. */
function causesOf({ type, id }: Part['caused_by']): (readonly [TraceComponentKind, string])[] {
  if (id === undefined) return [];
  if (type === 'action_execution') return [['action_executions', id]];
  if (type === 'trigger_instance') return [['trigger_instances', id]];
  const [rule = '', instance = ''] = id.split(':');
  return [
    ['rules', rule],
    ['trigger_instances', instance],
  ];
}
