import { deferred, SECOND_MS } from '@switchyard/base';

/** A server that the services of a process use. */
export interface ServerInUse {
  readonly name: string;
  /** Resolves when the server responds. */
  ping(): Promise<void>;
  /** Makes everything that waits for the server fail. Absent if services cannot stop properly without the server. */
  abandon?(): void;
}

export interface SilenceWatchOptions {
  readonly logger: { error(message: string): void };
  /** While it returns true, a silent server is not given up. */
  isFinishingWork(): boolean;
  /** Milliseconds between two looks (1 s). A server is given up when it was silent at five of them in a row. */
  lookMs?: number;
}

/** Watches the servers while a process stops, so that a server that is connected but does not respond does not delay it for long. */
export interface SilenceWatch {
  begin(): void;
  end(): void;
  /** Resolves when a server was given up without which services cannot stop properly. */
  readonly silent: Promise<void>;
  isSilent(): boolean;
}

const LOOK_MS = SECOND_MS;
/** Looks are counted, not time: a process that was suspended itself has not asked meanwhile. */
const SILENT_LOOKS = 5;

export function createSilenceWatch(
  servers: readonly ServerInUse[],
  { logger, isFinishingWork, lookMs = LOOK_MS }: SilenceWatchOptions,
): SilenceWatch {
  const silent = deferred();
  const timers = new Set<NodeJS.Timeout>();
  let hasBegun = false;
  let isSilent = false;

  function watch(server: ServerInUse): void {
    let silentLooks = 0;
    // A new question each time: the answer to an earlier one may be lost while the server responds again.
    const ask = () =>
      server.ping().then(
        () => (silentLooks = 0),
        () => undefined,
      );
    const look = () => {
      silentLooks = isFinishingWork() ? 0 : silentLooks + 1;
      if (silentLooks < SILENT_LOOKS) return void ask();
      clearInterval(timer);
      giveUp(server);
    };
    const timer = setInterval(look, lookMs);
    timers.add(timer);
    void ask();
  }

  function giveUp({ name, abandon }: ServerInUse): void {
    logger.error(`The ${name} does not respond; stopping without it.`);
    if (abandon) return abandon();
    isSilent = true;
    silent.resolve();
  }

  return {
    begin() {
      if (hasBegun) return;
      hasBegun = true;
      for (const server of servers) watch(server);
    },
    end() {
      hasBegun = true;
      for (const timer of timers) clearInterval(timer);
    },
    silent: silent.promise,
    isSilent: () => isSilent,
  };
}
