/// <reference types="jest" />

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SystemProcess } from '../system/system-process';

const MINUTES = 60_000;

/** A system to send recorded requests to: the same services on either kind of drivers. */
export interface Side extends Pick<SystemProcess, 'api' | 'auth' | 'stream'> {
  end(): Promise<void>;
}

/**
 * Describes tests that share one system.
 * @param open starts it, with this configuration
 */
export function describeSide(
  name: string,
  open: (config: string) => Promise<Side>,
  tests: (sideOf: () => Side) => void,
): void {
  describe(name, () => {
    let index: Server;
    let side: Side | undefined;
    beforeAll(async () => {
      index = await servedIndex();
      const { port } = index.address() as AddressInfo;
      side = await open(`[content]\nindex_url = http://127.0.0.1:${port}/index.json`);
    }, 3 * MINUTES);
    afterAll(async () => {
      index.close();
      await side?.end();
    }, MINUTES);
    tests(() => side!);
  });
}

/** An index of packs, as the pages of packs show it. */
async function servedIndex(): Promise<Server> {
  const pack = {
    ...{ ref: 'indexed', name: 'indexed', description: 'A pack of the index', version: '1.0.0', author: 'Ada' },
    ...{
      email: 'ada@example.org',
      repo_url: 'file:///nowhere/indexed',
      keywords: [],
      content: { actions: { count: 1 } },
    },
  };
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ metadata: {}, packs: { indexed: pack } }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}
