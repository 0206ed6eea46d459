import type { Clock } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import type { Store } from '@switchyard/storage';
import { createCandidate } from './candidate';
import { createElection, type Election, type ElectionOptions } from './election';

export interface OfficeOptions extends Pick<ElectionOptions, 'logger' | 'onElected' | 'onDeposed'> {
  store: Pick<Store, 'instances' | 'elections'>;
  config: Pick<Config, 'instances'>;
  clock: Clock;
  /** The name of the service, and of the office that one of its processes holds. */
  service: string;
}

/** Creates the election of the one process that does the work of a service. This process is a candidate. */
export function createOffice(options: OfficeOptions): Election {
  const { store, config, clock, logger, service, onElected, onDeposed } = options;
  const { heartbeat_ms: heartbeatMs, lease_ms: leaseMs } = config.instances;
  const candidate = createCandidate({ instances: store.instances, clock, logger, service, heartbeatMs, leaseMs });
  const election = createElection({
    elections: store.elections,
    clock,
    logger,
    candidate,
    office: service,
    onElected,
    onDeposed,
  });
  return {
    isHeld: election.isHeld,
    async start() {
      await candidate.start();
      await election.start();
    },
    async stop() {
      try {
        await election.stop();
      } finally {
        await candidate.stop();
      }
    },
  };
}
