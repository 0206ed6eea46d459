import { readFile } from 'node:fs/promises';
import { fault } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import { connectBus, embeddedBus, type Bus } from '@switchyard/messaging';
import { maskAddresses } from '@switchyard/model';
import type { Logger, ProcessMetrics } from '@switchyard/telemetry';
import { measurePublishing } from './measure-publishing';

/** Opens the bus that the configuration names. @throws Fault */
export async function openConfiguredBus({ messaging }: Config, logger: Logger, metrics: ProcessMetrics): Promise<Bus> {
  const onPublished = measurePublishing(metrics, messaging.prefix);
  if (messaging.driver === 'embedded') return embeddedBus({ prefix: messaging.prefix, logger, onPublished });
  return connectBus({
    urls: brokerUrls(messaging),
    prefix: messaging.prefix,
    logger,
    onPublished,
    firstTries: messaging.connection_retries + 1,
    longestPauseMs: messaging.connection_retry_wait,
    ...(messaging.login_method === null ? {} : { login: messaging.login_method }),
    ...(messaging.ssl ? { socket: await brokerTls(messaging) } : {}),
  });
}

const PROTOCOLS = ['amqp:', 'amqps:'];

/** The addresses of RabbitMQ. @throws Fault `config.conflict` for one that is not an address */
export function brokerUrls({ cluster_urls: cluster, url, ssl }: Config['messaging']): string[] {
  const [option, urls] = cluster.length > 0 ? ['cluster_urls', cluster] : ['url', [url]];
  const isAddress = (text: string) => URL.canParse(text) && PROTOCOLS.includes(new URL(text).protocol);
  const wrong = urls.find((text) => !isAddress(text));
  if (wrong !== undefined) {
    const text = `messaging.${option}: expected an address such as amqp://user:password@host:5672, got "${maskAddresses(wrong)}"`;
    throw fault('config.conflict', { text });
  }
  return ssl ? urls.map((text) => text.replace(/^amqp:/, 'amqps:')) : [...urls];
}

/** Reads the files of the connection to RabbitMQ. */
export async function brokerTls(messaging: Config['messaging']) {
  const read = async (name: 'ca' | 'cert' | 'key', path: string | null) =>
    path === null ? {} : { [name]: await readFile(path) };
  return {
    ...(await read('ca', messaging.ssl_ca_certs)),
    ...(await read('cert', messaging.ssl_certfile)),
    ...(await read('key', messaging.ssl_keyfile)),
    rejectUnauthorized: messaging.ssl_cert_reqs !== 'none',
  };
}
