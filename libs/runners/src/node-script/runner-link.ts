import { Socket } from 'node:net';
import { inspect } from 'node:util';
import { CHANNEL_FD, type OutcomeMessage, type NodeStartMessage } from './protocol';

/** The action's end of the connection. */
export interface RunnerLink {
  readonly start: Promise<NodeStartMessage>;
  /** Resolves when the runner has acknowledged, or is gone. */
  tell(outcome: OutcomeMessage): Promise<void>;
}

export function openRunnerLink(): RunnerLink {
  const socket = new Socket({ fd: CHANNEL_FD, readable: true, writable: true });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => socket.destroy());
  return {
    start: firstLine(socket).then((line) => {
      // From now on, only the action keeps the process alive.
      socket.unref();
      return JSON.parse(line) as NodeStartMessage;
    }),
    async tell(outcome) {
      socket.ref();
      const answered = new Promise<void>((resolve) => socket.once('data', () => resolve()));
      socket.write(`${jsonOf(outcome)}\n`);
      await Promise.race([answered, closed]);
    },
  };
}

function firstLine(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const take = (chunk: Buffer) => {
      parts.push(chunk);
      if (chunk.at(-1) !== 0x0a) return;
      socket.off('data', take);
      resolve(Buffer.concat(parts).toString());
    };
    socket.on('data', take);
  });
}

/** A result that cannot be serialised is sent as its inspected text. */
function jsonOf({ succeeded, result = null }: OutcomeMessage): string {
  try {
    return JSON.stringify({ succeeded, result: JSON.stringify(result) === undefined ? null : result });
  } catch {
    return JSON.stringify({ succeeded, result: inspect(result) });
  }
}
