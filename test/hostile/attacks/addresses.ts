import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Attack } from '../attack';
import { jsonOf, memberOf } from '../answer';
import { ended, request } from '../executions';

/** Different spellings of the local address. */
const SPELLINGS = [
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '0',
  '0.0.0.0',
  '127.1',
  '2130706433',
  '0x7f000001',
  '[::1]',
  'localhost',
];
const REFUSED = ['127.0.0.1', '0.0.0.0', '::1', 'localhost'];

export const addressAttacks: readonly Attack[] = [
  {
    name: 'spelled addresses',
    does: 'requests this machine with core.http, in notations that a list of refused hosts does not contain',
    expects: 'failed executions, and no request that arrives',
    async run({ api }) {
      let arrived = 0;
      const server = createServer((_, response) => {
        arrived++;
        response.end('you should not see this');
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const statuses: string[] = [];
      for (const host of SPELLINGS) {
        const url = `http://${host}:${port}/`;
        const asked = await request(api, 'core.http', { url, url_hosts_blacklist: REFUSED });
        const id = memberOf(asked, 'id');
        statuses.push(
          id === '' ? `refused ${asked.status} ${memberOf(asked, 'faultstring')}` : `${await ended(api, id)} ${host}`,
        );
        if (id !== '') jsonOf(await api.call('GET', `/api/v1/executions/${id}`));
      }
      server.closeAllConnections();
      server.close();
      const succeeded = statuses.filter((status) => status.startsWith('succeeded'));
      return {
        problems: [
          ...(arrived > 0 ? [`${arrived} requests arrived`] : []),
          ...succeeded.map((status) => `a refused host was asked: ${status}`),
        ],
      };
    },
  },
];
