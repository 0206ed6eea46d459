import { fault } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import { noSpans, type Logger, type SpanRecorder } from '@switchyard/telemetry';

/**
 * The recorder that `[opentelemetry]` configures.
 * @param service the default of `opentelemetry.service_name`
 * @throws Fault `config.conflict` if spans cannot be sent to the endpoint
 */
export async function openSpans(
  config: Pick<Config, 'opentelemetry'>,
  service: string,
  logger: Pick<Logger, 'warn' | 'info'>,
): Promise<SpanRecorder> {
  const { opentelemetry: options } = config;
  if (!options.enable) return noSpans;
  checkSpans(config);
  // Imported here, because its packages are hundreds of files.
  const { exportedSpans } = await import('@switchyard/telemetry/opentelemetry');
  return exportedSpans({ ...options, service_name: options.service_name ?? service }, logger);
}

/** @throws Fault `config.conflict` if spans cannot be sent to the endpoint */
export function checkSpans({ opentelemetry: { enable, endpoint } }: Pick<Config, 'opentelemetry'>): void {
  const protocol = URL.canParse(endpoint) ? new URL(endpoint).protocol : '';
  if (!enable || protocol === 'http:' || protocol === 'https:') return;
  // The address may contain a key.
  throw fault('config.conflict', { text: 'opentelemetry.endpoint: expected an http or https address' });
}
