import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endsWithUs } from '../system/ends-with-us';

/** The stream that all readers open. */
export interface ReadersRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly count: number;
}

/** The totals that they have received since they were opened. */
export interface Received {
  /** Events of one reader. */
  readonly events: number;
  /** Of all readers. */
  readonly bytes: number;
  readonly fewestBytes: number;
  readonly mostBytes: number;
}

export interface StreamReaders {
  received(): Promise<Received>;
  close(): Promise<void>;
}

/** Opens streams in a separate process, because reading them takes as much CPU time as writing them. */
export async function openReaders(request: ReadersRequest): Promise<StreamReaders> {
  const child = spawn(process.execPath, [join(__dirname, 'stream-readers-main.js')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  endsWithUs(child);
  const lines = createInterface(child.stdout);
  const ended = new Promise<undefined>((resolve) => child.once('exit', () => resolve(undefined)));
  const ask = async (line: string): Promise<Received> => {
    const answer = once(lines, 'line') as Promise<[string]>;
    child.stdin.write(`${line}\n`);
    const first = await Promise.race([answer, ended]);
    if (first === undefined) throw new Error('The readers of the event stream have ended.');
    return JSON.parse(first[0]) as Received;
  };
  await ask(JSON.stringify(request));
  return {
    received: () => ask('received'),
    async close() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
