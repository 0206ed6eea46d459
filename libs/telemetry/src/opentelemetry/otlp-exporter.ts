import { ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import { messageOf, SECOND_MS } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import type { Logger } from '../logger';

/** With all attempts. */
const TIMEOUT_MS = 3 * SECOND_MS;

/** Sends spans with OTLP over HTTP, as JSON. Spans that cannot be sent are dropped; the first failure is logged. */
export function otlpExporter(
  { endpoint, headers }: Pick<Config['opentelemetry'], 'endpoint' | 'headers'>,
  logger: Pick<Logger, 'warn' | 'info'>,
): SpanExporter {
  const exporter = new OTLPTraceExporter({ url: endpoint, headers: { ...headers }, timeoutMillis: TIMEOUT_MS });
  // A path or a query may contain a key.
  const { origin } = new URL(endpoint);
  let isFailing = false;
  const observe = (error: string | undefined) => {
    if (error !== undefined && !isFailing)
      logger.warn('Unable to export spans of OpenTelemetry; they are dropped.', { endpoint: origin, error });
    if (error === undefined && isFailing)
      logger.info('Spans of OpenTelemetry are exported again.', { endpoint: origin });
    isFailing = error !== undefined;
  };
  return {
    export(spans, done) {
      exporter.export(spans, ({ code, error }) => {
        observe(code === ExportResultCode.SUCCESS ? undefined : messageOf(error));
        done({ code: ExportResultCode.SUCCESS });
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  };
}
