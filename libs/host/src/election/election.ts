import { messageOf, type Clock } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import type { ElectionRecord } from '@switchyard/model';
import type { ElectionRepository, Store } from '@switchyard/storage';
import { createTask } from '../task';
import { createCandidate, type ElectionCandidate } from './candidate';

export interface ElectionOptions {
  elections: Pick<ElectionRepository, 'get' | 'take' | 'release'>;
  clock: Clock;
  logger: {
    info(message: string, fields?: Record<string, unknown>): void;
    warn(message: string, fields?: Record<string, unknown>): void;
  };
  /** Starts before the election and stops after it. One candidate may compete for several leaderships. */
  candidate: ElectionCandidate;
  /** Names the work that only the leader does, such as `timers`, or one of its parts, such as `sensors/3`. */
  leadership: string;
  onElected(term: number): void;
  /** Called when the leadership is lost or was released. */
  onDeposed(): void;
}

/** The participation of one process in an election. Only one of the processes holds the leadership. */
export interface Election {
  start(): Promise<void>;
  /** Releases the leadership, so that another process need not wait for the lease to run out. */
  stop(): Promise<void>;
  /**
   * Whether this process is the leader. Does no I/O, so callers can check it before each step. Another process may
   * take over during a step, so each step must be safe to repeat, or be a compare-and-set.
   */
  isHeld(): boolean;
}

/**
 * An election by lease. The record of a leadership names an instance. While that instance beats, no other process takes
 * the leadership. When it stops beating, the first process to write the record takes it.
 *
 * 1. A process is the leader only after it has written the record with a compare-and-set on the term.
 * 2. A leader whose own beat is late gives up before others may take over (`ElectionCandidate.life`), and does not resume
 *    the leadership when it wakes up.
 * 3. A leader that finds another name, or another term, in the record gives up.
 */
export function createElection(options: ElectionOptions): Election {
  const { elections, clock, logger, candidate, leadership } = options;
  let held: { term: number; life: number } | undefined;
  let told = false;
  let failing = false;
  let rounds = 0;

  const isHeld = () => held !== undefined && candidate.life() === held.life;
  const tell = () => {
    if (told === isHeld()) return;
    told = !told;
    const news = told ? 'Elected: this process is the leader now.' : 'This process is no longer the leader.';
    logger.info(news, { leadership });
    if (told) options.onElected(held?.term ?? 0);
    else options.onDeposed();
  };

  async function campaign(): Promise<void> {
    if (!isHeld()) held = undefined;
    tell();
    const record = await elections.get(leadership);
    if (record?.holder !== candidate.id || record.term !== held?.term) held = undefined;
    // A leader checks the other candidates only to remove the records of dead ones.
    const living = held && rounds++ % LEADER_LOOKS !== 0 ? new Set<string>() : await candidate.alive();
    const life = candidate.life();
    if (!held && life !== undefined && isVacant(record, candidate.id, living)) {
      const taken = await elections.take(leadership, record, candidate.id, clock.nowMicros());
      if (taken) held = { term: taken.term, life };
    }
    failing = false;
    tell();
  }

  const task = createTask({
    clock,
    everyMs: candidate.heartbeatMs,
    run: campaign,
    onError: (error) => {
      // By now, the beat may be late as well.
      tell();
      if (!failing) logger.warn('Failed to read the election; retrying.', { leadership, error: messageOf(error) });
      failing = true;
    },
  });

  return {
    isHeld,
    async start() {
      await campaign();
      task.wakeIn(candidate.heartbeatMs);
    },
    async stop() {
      await task.stop();
      const last = held;
      held = undefined;
      tell();
      if (last) await elections.release(leadership, last.term);
    },
  };
}

/** A leader checks the other candidates once in this many rounds. */
const LEADER_LOOKS = 4;

/** A record that names this process while it holds nothing belongs to a term that it gave up. */
const isVacant = (record: ElectionRecord | undefined, own: string, living: ReadonlySet<string>): boolean =>
  record?.holder === undefined || record.holder === own || !living.has(record.holder);

export interface LeadershipOptions extends Pick<ElectionOptions, 'logger' | 'onElected' | 'onDeposed'> {
  store: Pick<Store, 'instances' | 'elections'>;
  config: Pick<Config, 'instances'>;
  clock: Clock;
  /** The name of the service, and of the leadership that one of its processes holds. */
  service: string;
}

/** Creates the election of the one process that does the work of a service. This process is a candidate. */
export function createLeadership(options: LeadershipOptions): Election {
  const { store, config, clock, logger, service, onElected, onDeposed } = options;
  const { heartbeat_ms: heartbeatMs, lease_ms: leaseMs } = config.instances;
  const candidate = createCandidate({ instances: store.instances, clock, logger, service, heartbeatMs, leaseMs });
  const election = createElection({
    elections: store.elections,
    clock,
    logger,
    candidate,
    leadership: service,
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
