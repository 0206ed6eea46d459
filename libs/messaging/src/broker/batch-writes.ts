import type { Writable } from 'node:stream';

/**
 * Sends everything that is written in one turn of the event loop with one system call. amqplib writes each publish and
 * each acknowledgement by itself, and the calls cost more than what they carry.
 */
export function batchWrites(stream: Writable): void {
  const write = stream.write.bind(stream) as (...given: unknown[]) => boolean;
  let collecting = false;
  stream.write = (...given: unknown[]) => {
    if (!collecting) {
      collecting = true;
      stream.cork();
      setImmediate(() => {
        collecting = false;
        stream.uncork();
      });
    }
    return write(...given);
  };
}
