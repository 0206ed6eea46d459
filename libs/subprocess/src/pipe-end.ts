import { closeSync, readSync } from 'node:fs';
import { deferred, KIB } from '@switchyard/base';
import { pipeReader, pumpOutput, type OutputPump, type OutputReceiver } from './process-output';

/** How long output waits in its pipe for the end of the process. */
const WAIT_MS = 20;
/** A pipe of usual capacity is read with one, and the end with the next. */
const MOST_READS = 3;
const buffer = Buffer.allocUnsafe(64 * KIB);

/**
 * The reading end of a pipe with the output of a process. The output of a short process is read at its end, without a stream,
 * which would cost more than the rest of the run. That of a longer one is read from a stream, after a short wait.
 */
export class PipeEnd {
  /** @param fd must not block */
  constructor(private readonly fd: number) {}

  /** Like `pumpOutput`. Call it once. @param exited settles when the process has ended */
  pump(exited: Promise<unknown>, receive: OutputReceiver): OutputPump {
    const finished = deferred();
    let stream: OutputPump | undefined;
    let busy: Promise<void> | undefined;
    let isClosed = false;
    const openStream = (): OutputPump => {
      clearTimeout(late);
      if (stream !== undefined) return stream;
      stream = pumpOutput(pipeReader(this.fd), receive);
      void stream.finished.then(finished.resolve);
      return stream;
    };
    const late = setTimeout(openStream, WAIT_MS);
    const readAtOnce = () => {
      if (stream !== undefined) return;
      clearTimeout(late);
      for (let reads = 0; reads < MOST_READS && busy === undefined; reads++) {
        const chunk = readNow(this.fd);
        if (chunk === undefined) break;
        if (chunk.length === 0) {
          closeSync(this.fd);
          isClosed = true;
          return finished.resolve();
        }
        busy = receive(chunk);
      }
      // A process that was left running may still write.
      void Promise.resolve(busy).then(openStream);
    };
    exited.then(readAtOnce, openStream);
    return {
      finished: finished.promise,
      idle: () => stream?.idle() ?? busy ?? Promise.resolve(),
      isBusy: () => (stream ? stream.isBusy() : busy !== undefined),
      abandon() {
        // Another file may have the descriptor by now.
        if (!isClosed) openStream().abandon();
      },
    };
  }
}

/** @returns an empty chunk at the end of the output; undefined if there is none now */
function readNow(fd: number): Buffer | undefined {
  try {
    return Buffer.from(buffer.subarray(0, readSync(fd, buffer)));
  } catch {
    return undefined;
  }
}
