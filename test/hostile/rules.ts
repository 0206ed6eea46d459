import { isOk, unlike } from './attack';
import { jsonOf } from './answer';
import type { Caller } from './caller';

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A rule that runs `core.noop` for each call of its webhook. */
export interface WebhookRule {
  readonly path: string;
  /** Calls the webhook with an ordinary payload. @returns the problems, none if the rule runs its action */
  works(): Promise<string[]>;
}

const PATIENCE_MS = 60_000;
let calls = 0;

/** Creates the rule unless it exists. The webhook becomes available a moment later. */
export async function webhookRule(api: Caller, name: string): Promise<WebhookRule> {
  const stored = await api.call('POST', '/api/v1/rules', {
    name,
    pack: 'default',
    enabled: true,
    trigger: { type: 'core.st2.webhook', parameters: { url: name } },
    criteria: {},
    action: { ref: 'core.noop', parameters: {} },
  });
  if (!isOk(stored.status) && stored.status !== 409) throw new Error(`the rule was refused: ${stored.text}`);
  const path = `/api/v1/webhooks/${name}`;
  return {
    path,
    async works() {
      const tag = `hostile-${process.pid}-${++calls}`;
      const answer = await called(api, path, tag);
      if (!isOk(answer.status)) return unlike(`webhook ${name}`, [answer], isOk);
      return (await hasRun(api, tag)) ? [] : [`the rule ${name} has not run its action within ${PATIENCE_MS} ms`];
    },
  };
}

async function called(api: Caller, path: string, tag: string) {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await api.send({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', 'st2-trace-tag': tag },
      body: { ordinary: true },
    });
    if (answer.status !== 404 || Date.now() > deadline) return answer;
    await wait(100);
  }
}

async function hasRun(api: Caller, tag: string): Promise<boolean> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const traces = jsonOf(await api.call('GET', `/api/v1/traces?trace_tag=${tag}`)) as unknown as
      | { action_executions?: unknown[] }[]
      | undefined;
    if ((traces?.[0]?.action_executions?.length ?? 0) > 0) return true;
    if (Date.now() > deadline) return false;
    await wait(100);
  }
}
