import { prefixed, type Message } from '@switchyard/messaging';
import type { Metrics } from '@switchyard/telemetry';

/** How long the broker takes for messages, by exchange and by what they tell. */
export function measurePublishing(
  metrics: Pick<Metrics, 'time'>,
  prefix: string,
): (message: Message, durationMs: number) => void {
  return ({ exchange, body }, durationMs) => {
    const name = prefixed(prefix, exchange);
    metrics.time('amqp.pool_publisher.publish_with_retries.{exchange}', durationMs, { exchange: name });
    const change = changeOf(body);
    if (change !== undefined) metrics.time('amqp.publish.{change}', durationMs, { change });
  };
}

/** Of the announcements of records, what has happened to them; a message that only tells of a status is a `state`. */
function changeOf(
  body: Message['body'] & { readonly change?: unknown; readonly status?: unknown },
): string | undefined {
  if (typeof body.change === 'string') return body.change;
  return body.status === undefined ? undefined : 'state';
}
