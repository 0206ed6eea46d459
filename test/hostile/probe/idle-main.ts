// A server that does nothing, and under `/disk` nothing but to append a line to a file and to wait until the disk has it: how long
// these take is what the machine and the probe take.
import { fdatasync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** As long as the system keeps its connections. */
const KEEP_IDLE_MS = 75_000;

const directory = mkdtempSync(join(tmpdir(), 'svc-idle-'));
const file = openSync(join(directory, 'lines'), 'a');
// It stays writable, and is gone however this process ends.
rmSync(directory, { recursive: true, force: true });

const sync = promisify(fdatasync);
let syncing: Promise<void> | undefined;

/** Those who come while the disk is at it wait for the same. */
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
