// A server that does nothing: how long it takes is what the machine and the probe take.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** As long as the system keeps its connections. */
const KEEP_IDLE_MS = 75_000;

const server = createServer({ keepAliveTimeout: KEEP_IDLE_MS }, (_, response) => response.end('{}'));
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
