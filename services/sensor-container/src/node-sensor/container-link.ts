import { Socket } from 'node:net';
import { SensorLineReader } from '../process/line-reader';
import type { FromSensor, ToSensor } from '../process/protocol';

/** The sensor's end of the channel. */
export interface ContainerLink {
  send(message: FromSensor): void;
  /** Calls the container, and waits for the answer however long it takes. */
  call(method: string, parameters: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Sends what is pending. */
  flush(): Promise<void>;
}

/** The file descriptor that the container passes to its children. */
const CHANNEL_FD = 3;

type Reply = Extract<ToSensor, { type: 'reply' }>;

export function openLink(onMessage: (message: Exclude<ToSensor, Reply>) => void, onClose: () => void): ContainerLink {
  const socket = new Socket({ fd: CHANNEL_FD, readable: true, writable: true });
  const waiting = new Map<number, (reply: Reply) => void>();
  let lastId = 0;
  const take = (message: ToSensor) => {
    if (message.type !== 'reply') return onMessage(message);
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  };
  const lines = new SensorLineReader(Number.POSITIVE_INFINITY, (line) => take(JSON.parse(line) as ToSensor), onClose);
  socket.on('data', (chunk: Buffer) => lines.add(chunk));
  socket.on('error', () => undefined);
  socket.once('close', onClose);
  const send = (message: FromSensor) => void socket.write(`${JSON.stringify(message)}\n`);
  return {
    send,
    call: (method, parameters) =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        waiting.set(id, (reply) => ('error' in reply ? reject(new Error(reply.error)) : resolve(reply.result)));
        send({ type: 'call', id, method, parameters });
      }),
    flush: () => new Promise((resolve) => socket.write('', () => resolve())),
  };
}
