import { createBatch } from './batch';
import type { Destination } from './destination';

/** Writes to standard output. If its reader is gone (EPIPE), lines are dropped and the process continues. */
export function stdoutDestination(): Destination {
  const ignore = () => undefined;
  process.stdout.on('error', ignore);
  const batch = createBatch((chunk) => process.stdout.write(chunk));
  return {
    write: batch.add,
    reopen: () => undefined,
    close: async () => {
      batch.end();
      await new Promise<void>((done) => process.stdout.write('', () => done()));
      process.stdout.off('error', ignore);
    },
  };
}
