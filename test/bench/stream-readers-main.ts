// Many readers of an event stream in one process. The first line of its input describes what to read, as JSON; each
// further line requests the totals that all readers have received so far, as JSON. It exits at the end of its input.
import { get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import type { ReadersRequest } from './stream-readers';

/** The bytes of each reader; the first one also counts events. */
const received: number[] = [];
let events = 0;

function open({ url, headers }: ReadersRequest, reader: number): Promise<void> {
  received[reader] = 0;
  return new Promise((resolve, reject) => {
    const sent = get(url, { headers, agent: false }, (response: IncomingMessage) => {
      if (response.statusCode !== 200) reject(new Error(`the stream answered ${response.statusCode}`));
      if (reader === 0) countEvents(response);
      response.on('data', (chunk: Buffer) => (received[reader] = (received[reader] ?? 0) + chunk.length));
      resolve();
    });
    sent.on('error', reject);
  });
}

/** An event is a block of lines, one of which begins with `data:`. */
function countEvents(response: IncomingMessage): void {
  createInterface(response).on('line', (line) => {
    if (line.startsWith('data:')) events++;
  });
}

async function main(): Promise<void> {
  const lines = createInterface(process.stdin);
  let request: ReadersRequest | undefined;
  for await (const line of lines) {
    if (request === undefined) {
      request = JSON.parse(line) as ReadersRequest;
      for (let reader = 0; reader < request.count; reader++) await open(request, reader);
    }
    const total = received.reduce((sum, bytes) => sum + bytes, 0);
    console.log(
      JSON.stringify({ events, bytes: total, fewestBytes: Math.min(...received), mostBytes: Math.max(...received) }),
    );
  }
  process.exit();
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
