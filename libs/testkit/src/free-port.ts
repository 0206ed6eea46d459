import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** A port on which nothing listens. Another program may take it at any time. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}
