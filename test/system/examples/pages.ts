import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A local replacement for the web pages that the examples fetch. */
export interface Pages {
  readonly address: string;
  close(): Promise<void>;
}

const REPOSITORIES = Array.from({ length: 5 }, (_, index) => ({
  full_name: `ada/r${index + 1}`,
  html_url: `http://127.0.0.1/ada/r${index + 1}`,
}));

const PER_PAGE = 2;

/** Serves a weather report and a listing of five repositories. */
export async function servePages(): Promise<Pages> {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const page = Number(searchParams.get('page'));
    const size = Number(searchParams.get('per_page') ?? PER_PAGE);
    const bodies: Record<string, unknown> = {
      '/weather': { zip: searchParams.get('zip'), sky: 'blue' },
      '/repositories': REPOSITORIES.slice((page - 1) * size, page * size),
    };
    const body = bodies[pathname];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
