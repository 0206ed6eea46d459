import { fault } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import { noSpans, type Logger, type SpanRecorder } from '@switchyard/telemetry';

/**
 * The recorder that `[opentelemetry]` configures.
 * @param service the default of `opentelemetry.service_name`
 * @throws Fault `config.conflict` if spans cannot be sent to the endpoint
 */
export async function openSpans(
  { opentelemetry: options }: Pick<Config, 'opentelemetry'>,
  service: string,
  logger: Pick<Logger, 'warn' | 'info'>,
): Promise<SpanRecorder> {
  if (!options.enable) return noSpans;
  refuseEndpoint(options.endpoint);
  // Imported here, because its packages are hundreds of files.
  const { exportedSpans } = await import('@switchyard/telemetry/opentelemetry');
  return exportedSpans({ ...options, service_name: options.service_name ?? service }, logger);
}

function refuseEndpoint(endpoint: string): void {
  const protocol = URL.canParse(endpoint) ? new URL(endpoint).protocol : '';
  if (protocol === 'http:' || protocol === 'https:') return;
  // The address may contain a key.
  throw fault('config.conflict', { text: 'opentelemetry.endpoint: expected an http or https address' });
}
