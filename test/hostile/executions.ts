import { jsonOf, memberOf, type Answer } from './answer';
import type { Caller } from './caller';

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const ENDS = ['succeeded', 'failed', 'timeout', 'canceled', 'abandoned'];
const PATIENCE_MS = 120_000;

/** The final status of an execution, or its last status if it takes too long. */
export async function ended(api: Caller, id: string, withinMs = PATIENCE_MS): Promise<string> {
  if (id === '') return 'not accepted';
  const deadline = Date.now() + withinMs;
  for (;;) {
    const status = memberOf(await api.call('GET', `/api/v1/executions/${id}?include_attributes=status`), 'status');
    if (ENDS.includes(status) || Date.now() > deadline) return status;
    await wait(100);
  }
}

/** Milliseconds from the request of a command to its end. */
export async function commandTakes(
  api: Caller,
  withinMs = PATIENCE_MS,
): Promise<{ status: string; durationMs: number }> {
  const start = performance.now();
  const answer = await request(api, 'core.local', { cmd: 'true' });
  const status =
    answer.status === 201 ? await ended(api, memberOf(answer, 'id'), withinMs) : `refused: ${answer.status}`;
  return { status, durationMs: performance.now() - start };
}

export const request = (api: Caller, action: string, parameters: object): Promise<Answer> =>
  api.call('POST', '/api/v1/executions', { action, parameters });

/** The number of executions in a list response. */
export const lengthOf = (answer: Answer): number => {
  const list: unknown = jsonOf(answer);
  return Array.isArray(list) ? list.length : 0;
};
