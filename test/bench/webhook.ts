import type { Bench } from './bench';
import type { Submission } from './submit';

const HOOK = 'bench';

/** Creates the rule that runs an action for each call of the webhook, unless it exists. */
export async function withWebhookRule({ api, removeLater }: Bench): Promise<void> {
  const { status, body } = await api.call('POST', '/v1/rules', {
    name: 'bench_webhook',
    pack: 'default',
    enabled: true,
    trigger: { type: 'core.st2.webhook', parameters: { url: HOOK } },
    criteria: { 'trigger.body.severity': { type: 'eq', pattern: 'critical' } },
    action: { ref: 'core.noop', parameters: {} },
  });
  if (status !== 201 && status !== 409) throw new Error(`the rule was refused with ${status}: ${JSON.stringify(body)}`);
  removeLater('/v1/rules/default.bench_webhook');
}

/** Calls the webhook once per job. The response does not name the execution, so a number in the payload identifies
 * it. */
export function ofWebhook(): Submission {
  let count = 0;
  return {
    async submit(api) {
      const number = String(count++);
      const { status, body } = await api.call('POST', `/v1/webhooks/${HOOK}`, {
        host: 'db-1',
        severity: 'critical',
        message: 'the disk is full',
        number,
      });
      if (status !== 202) throw new Error(`the webhook answered ${status}: ${JSON.stringify(body)}`);
      return number;
    },
    attributes: ['trigger_instance'],
    keyOf: ({ trigger_instance: instance }) => String((instance?.payload['body'] as { number?: string })?.number),
  };
}
