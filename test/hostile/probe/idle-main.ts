// A server that does nothing, and under `/disk` only appends a line to a file and waits for the disk. Its response
// times show the delays of the machine and the probe.
import { fdatasync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The keep-alive timeout of the system. */
const KEEP_IDLE_MS = 75_000;

const directory = mkdtempSync(join(tmpdir(), 'svc-idle-'));
const file = openSync(join(directory, 'lines'), 'a');
// The open file stays writable and disappears however this process ends.
rmSync(directory, { recursive: true, force: true });

const sync = promisify(fdatasync);
let syncing: Promise<void> | undefined;

/** Requests that arrive during a disk write share its wait. */
function written(): Promise<void> {
  writeSync(file, 'a line\n');
  syncing ??= sync(file).finally(() => (syncing = undefined));
  return syncing;
}

const server = createServer({ keepAliveTimeout: KEEP_IDLE_MS }, (request, response) => {
  const answer = () => response.end('{}');
  if (request.url?.startsWith('/disk')) written().then(answer, answer);
  else answer();
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
