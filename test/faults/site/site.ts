import { setTimeout as wait } from 'node:timers/promises';
import type { ApiCaller } from '../../system/api-caller';
import type { TestServer } from '../../system/test-server';
import type { NetworkPath } from '../network-path';
import type { SmallDisk } from '../small-disk';

export const SERVER_NAMES = ['MongoDB', 'RabbitMQ'] as const;
export type ServerName = (typeof SERVER_NAMES)[number];

/** A system under faults: one process on the embedded drivers, or a process for each service on servers. */
export interface Site {
  /** The data directory. */
  readonly directory: string;
  readonly api: ApiCaller;
  /** The longest pause between two requests of one submitter. Two cores can handle this load together with the servers. */
  readonly pauseMs: number;
  readonly processes: readonly SiteProcess[];
  readonly servers: Readonly<Partial<Record<ServerName, TestServer>>>;
  /** Holds the data of the store. Undefined if this process may not mount file systems. */
  readonly disk: SmallDisk | undefined;
  /** The numbers of messages in the queues of the broker, except for empty ones. */
  queued(): Promise<Readonly<Record<string, number>>>;
  /** Waits until the system accepts requests. */
  ready(): Promise<void>;
  /** The processes that have ended by themselves since the last call, with what they printed last. */
  endedAlone(): string[];
  close(): Promise<void>;
}

/** A process of a site. */
export interface SiteProcess {
  readonly name: string;
  readonly pid: number;
  /** Its ways to the servers. */
  readonly paths: Readonly<Partial<Record<ServerName, NetworkPath>>>;
  /** Starts it, without waiting until it is ready. */
  start(environment?: Readonly<Record<string, string>>): void;
  stop(signal: NodeJS.Signals): Promise<void>;
  signal(signal: NodeJS.Signals): void;
}

/** Requests that take longer count as unanswered. */
const ANSWER_MS = 20_000;

/** The same caller, whose calls end in time even if the system hangs. */
export const impatient = (api: ApiCaller): ApiCaller => ({
  ...api,
  async call(method, path, body) {
    const patience = new AbortController();
    const late = wait(ANSWER_MS, undefined, { signal: patience.signal }).then(() => {
      throw new Error(`${method} ${path.split('?')[0]} was not answered in ${ANSWER_MS} ms`);
    });
    try {
      return await Promise.race([api.call(method, path, body), late]);
    } finally {
      patience.abort();
      late.catch(() => undefined);
    }
  },
});
