import type { Logger } from '../logger';
import type { FlatReceiver } from './flat-metrics';

/** Logs every measurement at level debug. */
export function echoReceiver(logger: Pick<Logger, 'debug'>, prefix: string): FlatReceiver {
  const log = (type: string, name: string, fields: Record<string, number>) =>
    logger.debug('Metric', { type, name: prefix + name, ...fields });
  return {
    counter: (name) => log('counter', name, { by: 1 }),
    timer: (name, durationMs) => log('timer', name, { durationMs }),
    gauge: (name, value) => log('gauge', name, { value }),
    gaugeDelta: (name, by) => log('gauge', name, { by }),
  };
}
