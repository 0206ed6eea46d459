import type { ApiCaller } from '../system/api-caller';
import type { Burst } from './webhook-burst';

const OPEN_EXECUTIONS = 'requested,scheduled,delayed,running,canceling';
const LOOK_MS = 250;

/** The rule for the events of a burst. */
export interface Listener {
  readonly hook: string;
  /** References of the rule and of its trigger. */
  readonly rule: string;
  readonly trigger: string;
}

/** Creates a rule that runs an action for each event. */
export async function listen(api: ApiCaller, hook: string): Promise<Listener> {
  const { status, body } = await api.call('POST', '/v1/rules', {
    name: hook,
    enabled: true,
    trigger: { type: 'core.st2.webhook', parameters: { url: hook } },
    action: { ref: 'core.noop' },
  });
  if (status !== 201) throw new Error(`The rule was answered ${status}: ${JSON.stringify(body)}`);
  return { hook, rule: body.ref as string, trigger: body.trigger.ref as string };
}

/** The numbers of pending events, of events an engine is processing, and of executions that have not ended. */
export async function outstanding(api: ApiCaller, { rule, trigger }: Listener) {
  const count = async (path: string) => {
    const { headers } = await api.call('GET', `/v1/${path}&limit=1`);
    return Number(headers['x-total-count']);
  };
  return {
    pending: await count(`triggerinstances?trigger=${trigger}&status=pending`),
    processing: await count(`triggerinstances?trigger=${trigger}&status=processing`),
    executions: await count(`executions?rule=${rule}&status=${OPEN_EXECUTIONS}`),
  };
}

/** Waits until everything has ended. @returns a description of what has not */
export async function untilDealtWith(api: ApiCaller, listener: Listener, limitMs: number): Promise<string[]> {
  const start = performance.now();
  for (;;) {
    const open = await outstanding(api, listener);
    if (open.pending + open.processing + open.executions === 0) return [];
    if (performance.now() - start > limitMs) return [`open ${limitMs} ms after the fault: ${JSON.stringify(open)}`];
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

interface Instance {
  id: string;
  status: string;
  payload: { body: { number: number } };
}

interface Execution {
  status: string;
  trigger_instance: { id: string };
}

interface Enforcement {
  trigger_instance_id: string;
  status: string;
}

/** The outcome of a burst. */
export interface BurstOutcome {
  problems: string[];
  /** The numbers of instances, executions and enforcements by status. */
  statuses: Record<string, Record<string, number>>;
}

/** Each accepted event must lead to one processed instance, one enforcement and one execution. */
export async function burstOutcome(
  api: ApiCaller,
  listener: Listener,
  burst: Pick<Burst, 'answered' | 'unanswered' | 'refusals'>,
): Promise<BurstOutcome> {
  const all = async <T>(path: string) => (await api.call('GET', `/v1/${path}&limit=-1`)).body as T[];
  const { rule, trigger } = listener;
  const instances = await all<Instance>(`triggerinstances?trigger=${trigger}&include_attributes=status,payload`);
  const executions = await all<Execution>(`executions?rule=${rule}&include_attributes=status,trigger_instance`);
  const enforcements = await all<Enforcement>(`ruleenforcements?rule_ref=${rule}`);
  const byNumber = grouped(instances, ({ payload }) => payload.body.number);
  const problems = [...burst.answered, ...burst.unanswered].flatMap((number) =>
    instanceProblems(number, byNumber.get(number) ?? [], burst.answered.has(number)),
  );
  for (const [what, made] of [
    ['executions', grouped(executions, (each) => each.trigger_instance.id)],
    ['enforcements', grouped(enforcements, (each) => each.trigger_instance_id)],
  ] as const)
    for (const { id, payload } of instances) {
      const count = made.get(id)?.length ?? 0;
      if (count !== 1) problems.push(`${count} ${what} of event ${payload.body.number}`);
    }
  return {
    problems: [...problems, ...burst.refusals],
    statuses: { instances: tally(instances), enforcements: tally(enforcements), executions: tally(executions) },
  };
}

function instanceProblems(number: number, instances: readonly Instance[], isAnswered: boolean): string[] {
  const least = isAnswered ? 1 : 0;
  if (instances.length < least) return [`event ${number} was answered and is lost`];
  if (instances.length > 1) return [`event ${number} was stored ${instances.length} times`];
  return instances.filter(({ status }) => status !== 'processed').map(({ status }) => `event ${number} is ${status}`);
}

function grouped<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

function tally(items: readonly { status: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of items) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
