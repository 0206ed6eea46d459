import type { Duplex } from 'node:stream';
import { MIB, type DataLimits } from '@switchyard/base';
import { LineReader } from './line-reader';
import { parseMessage, type FromSensor, type ToSensor } from './protocol';

/** The container's end of the connection with one sensor process. */
export interface Channel {
  send(message: ToSensor): void;
  close(): void;
}

export type Call = Extract<FromSensor, { type: 'call' }>;

export interface ChannelHandlers {
  /** Its result is the answer; what it throws becomes a text for the sensor. */
  onCall(call: Call): Promise<unknown>;
  onMessage(message: Exclude<FromSensor, Call>): void;
  /** The process has sent something that is no message. */
  onNonsense(): void;
}

/** An event with a payload of this size is at the limit of what a store takes. */
const MAX_LINE_BYTES = 16 * MIB;

/** A process that has so many calls under way has to wait: its memory is its own, ours is everybody's. */
const MAX_CALLS = 64;

export function openChannel(
  socket: Duplex,
  limits: DataLimits,
  { onCall, onMessage, onNonsense }: ChannelHandlers,
): Channel {
  let calls = 0;
  const send = (message: ToSensor) => {
    if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
  };
  const answer = async (call: Call) => {
    if (++calls >= MAX_CALLS) socket.pause();
    const reply = await onCall(call).then(
      (result) => ({ result: result ?? null }),
      (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
    );
    if (--calls < MAX_CALLS) socket.resume();
    send({ type: 'reply', id: call.id, ...reply });
  };
  const lines = new LineReader(
    MAX_LINE_BYTES,
    (line) => {
      const message = parseMessage(line, limits);
      if (!message) onNonsense();
      else if (message.type === 'refused') send({ type: 'reply', id: message.id, error: message.error });
      else if (message.type === 'call') void answer(message);
      else onMessage(message);
    },
    onNonsense,
  );
  socket.on('data', (chunk: Buffer) => lines.add(chunk));
  // A process that ends in the middle of a message is nothing to fail for.
  socket.on('error', () => socket.destroy());
  return { send, close: () => socket.destroy() };
}
