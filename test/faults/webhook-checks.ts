import type { ApiCaller } from '../system/api-caller';
import { eventOutcome, type EventOutcome, type Listener } from './event-checks';
import type { Burst } from './webhook-burst';

const OPEN_EXECUTIONS = 'requested,scheduled,delayed,running,canceling';
const LOOK_MS = 250;

/** The rule for the events of a burst. */
export interface BurstListener extends Listener {
  readonly hook: string;
}

/** Creates a rule that runs an action for each event. */
export async function listen(api: ApiCaller, hook: string): Promise<BurstListener> {
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

/** Each answered event must have one execution. Others may be stored as well. */
export async function burstOutcome(
  api: ApiCaller,
  listener: Listener,
  burst: Pick<Burst, 'answered' | 'refusals'>,
): Promise<EventOutcome> {
  const numberOf = (payload: Readonly<Record<string, unknown>>) => (payload['body'] as { number: number }).number;
  const outcome = await eventOutcome(api, listener, { answered: burst.answered, keyOf: numberOf });
  return { ...outcome, problems: [...outcome.problems, ...burst.refusals] };
}
