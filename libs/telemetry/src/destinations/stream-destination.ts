import { createBatch } from './batch';
import type { Destination } from './destination';

/** Writes to standard output or standard error. If its reader is gone (EPIPE), lines are dropped and the process continues. */
export function streamDestination(stream: NodeJS.WriteStream): Destination {
  const ignore = () => undefined;
  stream.on('error', ignore);
  const batch = createBatch((chunk) => stream.write(chunk));
  return {
    write: batch.add,
    reopen: () => undefined,
    close: async () => {
      batch.end();
      await new Promise<void>((done) => stream.write('', () => done()));
      stream.off('error', ignore);
    },
  };
}
