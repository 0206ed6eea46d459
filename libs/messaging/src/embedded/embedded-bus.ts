import type { Backoff } from '@switchyard/base';
import type { OnPublished } from '../broker/confirming-publisher';
import { createBus } from '../broker/create-bus';
import { Link } from '../broker/link';
import type { Bus } from '../bus';
import { PUBLISH_TIMEOUT_MS, RECONNECTION, REDELIVERY } from '../connect-bus';
import type { MessagingLogger } from '../bus';
import { embeddedBroker, type EmbeddedBroker } from './embedded-broker';

export interface EmbeddedBusOptions {
  readonly prefix: string;
  readonly logger: MessagingLogger;
  /** Called with the time until the confirm of each message, including retries. */
  readonly onPublished?: OnPublished;
  /** Shared by several buses. Default: a new one. */
  readonly broker?: EmbeddedBroker;
  readonly publishTimeoutMs?: number;
  readonly reconnection?: Backoff;
  readonly redelivery?: Backoff;
}

/** Creates a bus without a server. Publishers and consumers can be used at once; they wait until it is connected. */
export function embeddedBus(options: EmbeddedBusOptions): Bus {
  const { prefix, logger, broker = embeddedBroker(), publishTimeoutMs = PUBLISH_TIMEOUT_MS } = options;
  const { reconnection = RECONNECTION, redelivery = REDELIVERY, onPublished } = options;
  const link = new Link({ connect: broker.connect, prefix, logger, backoff: reconnection, firstTries: 1 });
  return createBus({ link, prefix, logger, publishTimeoutMs, redelivery, resubscription: reconnection, onPublished });
}
