import type { Duplex } from 'node:stream';
import { MIB, type DataLimits } from '@switchyard/base';
import { SensorLineReader } from './line-reader';
import { parseMessage, type FromSensor, type ToSensor } from './protocol';

/** The container's end of the connection to one sensor process. */
export interface Channel {
  send(message: ToSensor): void;
  close(): void;
}

export type SensorCall = Extract<FromSensor, { type: 'call' }>;

export interface ChannelHandlers {
  /** Its result is the answer; an error is sent to the sensor as text. */
  onCall(call: SensorCall): Promise<unknown>;
  onMessage(message: Exclude<FromSensor, SensorCall>): void;
  /** Called when the process has sent an invalid message. */
  onNonsense(): void;
}

/** An event with a payload of this size is at the limit of what a store accepts. */
const MAX_LINE_BYTES = 16 * MIB;

/**
 * A process with this many pending calls has to wait: its calls take up the container's memory, which all sensors share.
 */
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
  const answer = async (call: SensorCall) => {
    if (++calls >= MAX_CALLS) socket.pause();
    const reply = await onCall(call).then(
      (result) => ({ result: result ?? null }),
      (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
    );
    if (--calls < MAX_CALLS) socket.resume();
    send({ type: 'reply', id: call.id, ...reply });
  };
  const lines = new SensorLineReader(
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
  // The process may end in the middle of a message; that is not an error.
  socket.on('error', () => socket.destroy());
  return { send, close: () => socket.destroy() };
}
