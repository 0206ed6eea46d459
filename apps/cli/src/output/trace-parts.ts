import type { Trace, TracePart } from '@switchyard/client';

export type PartKind = 'execution' | 'rule' | 'trigger-instance';
export type ShownKinds = Readonly<Record<PartKind, boolean>>;

/** A part of a trace as a row of a table. */
export interface TracedPart {
  readonly id: string;
  readonly type: PartKind;
  readonly ref: string;
  readonly updated_at: string;
}

/** The parts of a trace, ordered by time. @param hideIdle leave out trigger instances that matched no rule */
export function partsOf(trace: Trace, kinds: ShownKinds, hideIdle: boolean): TracedPart[] {
  const busy = new Set(trace.rules.map(({ caused_by: cause }) => cause.id));
  const instances = trace.trigger_instances.filter(({ object_id: id }) => !hideIdle || busy.has(id));
  return [
    ...(kinds['trigger-instance'] ? instances.map(rowOf('trigger-instance')) : []),
    ...(kinds.rule ? trace.rules.map(rowOf('rule')) : []),
    ...(kinds.execution ? trace.action_executions.map(rowOf('execution')) : []),
  ].sort((a, b) => a.updated_at.localeCompare(b.updated_at));
}

/** The chain of causes that led to a part of a trace, ending with that part. */
export function chainOf(trace: Trace, kind: PartKind, id: string): TracedPart[] {
  const chain: TracedPart[] = [];
  const known = new Set<TracePart>();
  let [type, part] = [kind, find(trace, kind, id)];
  while (part && !known.has(part)) {
    known.add(part);
    chain.unshift(rowOf(type)(part));
    const { type: cause, id: causeId = '' } = part.caused_by;
    type = cause === 'rule' ? 'rule' : cause === 'trigger_instance' ? 'trigger-instance' : 'execution';
    part = cause === undefined ? undefined : find(trace, type, causeId);
  }
  return chain;
}

const rowOf =
  (type: PartKind) =>
  ({ object_id: id, ref, updated_at }: TracePart): TracedPart => ({ id, type, ref, updated_at });

/** @param id for a rule it may be `rule:instance` */
function find(trace: Trace, kind: PartKind, id: string): TracePart | undefined {
  if (kind === 'execution') return trace.action_executions.find((part) => part.object_id === id);
  if (kind === 'trigger-instance') return trace.trigger_instances.find((part) => part.object_id === id);
  const [rule, instance] = id.split(':');
  return trace.rules.find(
    (part) => part.object_id === rule && (instance === undefined || part.caused_by.id === instance),
  );
}
