import { exchanges, prefixed, type Message } from '@switchyard/messaging';
import type { Metrics } from '@switchyard/telemetry';

/** Measures how long the broker takes to confirm messages, by exchange and by kind of message. */
export function measurePublishing(
  metrics: Pick<Metrics, 'time'>,
  prefix: string,
): (message: Message, durationMs: number) => void {
  const names = new Map(Object.keys(exchanges).map((name) => [name, prefixed(prefix, name)]));
  return ({ exchange, body }, durationMs) => {
    const name = names.get(exchange) ?? exchange;
    metrics.time('amqp.pool_publisher.publish_with_retries.{exchange}', durationMs, { exchange: name });
    const change = changeOf(body);
    if (change !== undefined) metrics.time('amqp.publish.{change}', durationMs, { change });
  };
}

/** For announcements of records, the kind of change; a message that only carries a status is a `state`. */
function changeOf(
  body: Message['body'] & { readonly change?: unknown; readonly status?: unknown },
): string | undefined {
  if (typeof body.change === 'string') return body.change;
  return body.status === undefined ? undefined : 'state';
}
