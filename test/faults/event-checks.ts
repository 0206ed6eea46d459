import type { ApiCaller } from '../system/api-caller';
import { untilSound } from './loads/load';

/** A rule and the trigger that it listens to. */
export interface Listener {
  /** References of the rule and of its trigger. */
  readonly rule: string;
  readonly trigger: string;
}

interface Instance {
  readonly id: string;
  readonly status: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

interface Caused {
  readonly status: string;
}

interface Execution extends Caused {
  readonly trigger_instance: { readonly id: string };
}

interface Enforcement extends Caused {
  readonly trigger_instance_id: string;
}

/** What became of events. */
export interface EventOutcome {
  readonly problems: string[];
  /** The ids of the stored events. */
  readonly ids: ReadonlySet<string>;
  /** The stored events. */
  readonly instances: readonly Pick<Instance, 'id' | 'payload'>[];
  /** The numbers of instances, executions and enforcements by status. */
  readonly statuses: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** What events are expected. */
export interface ExpectedEvents<K> {
  /** The keys of accepted events. */
  readonly answered: ReadonlySet<K>;
  /** The key of an event, by its payload. */
  readonly keyOf: (payload: Instance['payload']) => K;
  /** The ids of the events that have to be processed by now. Default: all. */
  readonly due?: ReadonlySet<string> | undefined;
}

/** Each accepted event must lead to one processed instance, one enforcement and one execution. */
export async function eventOutcome<K extends string | number>(
  api: ApiCaller,
  { rule, trigger }: Listener,
  { answered, keyOf, due }: ExpectedEvents<K>,
): Promise<EventOutcome> {
  const all = async <T>(path: string) => (await api.call('GET', `/v1/${path}&limit=-1`)).body as T[];
  // In this order, so that what is caused by the events that were found is found too.
  const instances = await all<Instance>(`triggerinstances?trigger=${trigger}&include_attributes=status,payload`);
  const enforcements = await all<Enforcement>(`ruleenforcements?rule_ref=${rule}`);
  const executions = await all<Execution>(`executions?rule=${rule}&include_attributes=status,trigger_instance`);
  const isDue = ({ id }: Instance) => due?.has(id) ?? true;
  const byKey = grouped(instances, ({ payload }) => keyOf(payload));
  const problems = [
    ...[...answered].filter((key) => !byKey.has(key)).map((key) => `event ${key} was answered and is lost`),
    ...[...byKey].flatMap(([key, found]) => instanceProblems(key, found, isDue)),
  ];
  for (const [what, made] of [
    ['executions', grouped(executions, (each) => each.trigger_instance.id)],
    ['enforcements', grouped(enforcements, (each) => each.trigger_instance_id)],
  ] as const)
    for (const { id, payload } of instances.filter(isDue)) {
      const count = made.get(id)?.length ?? 0;
      if (count !== 1) problems.push(`${count} ${what} of event ${keyOf(payload)}`);
    }
  return {
    problems,
    ids: new Set(instances.map(({ id }) => id)),
    instances,
    statuses: { instances: tally(instances), enforcements: tally(enforcements), executions: tally(executions) },
  };
}

function instanceProblems(
  key: string | number,
  instances: readonly Instance[],
  isDue: (instance: Instance) => boolean,
): string[] {
  if (instances.length > 1) return [`event ${key} was stored ${instances.length} times`];
  return instances
    .filter(isDue)
    .filter(({ status }) => status !== 'processed')
    .map(({ status }) => `event ${key} is ${status}`);
}

function grouped<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

function tally(items: readonly Caused[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of items) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The problems of events of a load that may go on: those that are stored now have to be processed soon. */
export function eventProblems<K extends string | number>(
  api: ApiCaller,
  listener: Listener,
  expected: () => ExpectedEvents<K>,
  furtherProblems: (outcome: EventOutcome) => string[] = () => [],
): Promise<string[]> {
  let due: ReadonlySet<string> | undefined;
  return untilSound(async () => {
    const outcome = await eventOutcome(api, listener, { ...expected(), due });
    due ??= outcome.ids;
    return [...outcome.problems, ...furtherProblems(outcome)];
  });
}
