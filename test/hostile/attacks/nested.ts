import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { isRefusal, unlike, type Attack, type Setting } from '../attack';
import { memberOf } from '../answer';
import { ended } from '../executions';
import { webhookRule } from '../rules';

/** As deep as JSON.parse can handle, and deeper than recursive code can. */
const DEPTH = 4175;
const PRINTED_DEPTH = 4120;

const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const within = (body: object, depth: number): string => JSON.stringify(body).replace('"DEEP"', () => lists(depth));

const json = { 'content-type': 'application/json' };

/** Bodies with a place for a deeply nested value. */
const PLACES: readonly [path: string, body: object][] = [
  ['/api/v1/executions', { action: 'core.noop', context: { deep: 'DEEP' } }],
  ['/api/v1/executions', { action: 'core.noop', parameters: { deep: 'DEEP' } }],
  ['/api/v1/apikeys', { metadata: { deep: 'DEEP' } }],
  ['/api/v1/triggertypes', { name: 'deep', pack: 'default', payload_schema: { properties: 'DEEP' } }],
  [
    '/api/v1/actions',
    { name: 'deep', pack: 'default', runner_type: 'noop', parameters: { a: { type: 'array', default: 'DEEP' } } },
  ],
];

export const nestedAttacks: readonly Attack[] = [
  {
    name: 'nested webhook',
    does: `sends a webhook with a rule a body of ${DEPTH} lists in each other`,
    expects: 'a refusal, and the rule still works',
    async run({ api }) {
      const rule = await webhookRule(api, 'hostile_nested');
      const answers = [];
      for (const depth of [DEPTH, 101, 100_000, 8_000_000]) {
        answers.push(
          await api.send({ method: 'POST', path: rule.path, headers: json, body: within({ a: 'DEEP' }, depth) }),
        );
      }
      return { problems: [...unlike('deep bodies', answers, isRefusal), ...(await rule.works())] };
    },
  },
  {
    name: 'nested records',
    does: 'puts something as deep into contexts, parameters, API keys, trigger types, defaults of actions',
    expects: 'refusals',
    async run({ api }) {
      const answers = await Promise.all(
        PLACES.map(([path, body]) => api.send({ method: 'POST', path, headers: json, body: within(body, DEPTH) })),
      );
      return { problems: unlike('deep values', answers, isRefusal) };
    },
  },
  {
    name: 'nested output',
    does: `has a command print JSON ${PRINTED_DEPTH} deep, and an HTTP server answer it`,
    expects: 'executions that end, and lists with them',
    run: async (setting) => ({ problems: [...(await printed(setting)), ...(await answered(setting))] }),
  },
  {
    name: 'nested restart',
    does: 'starts everything again with such results in the store',
    expects: 'a start, and lists with them',
    restarts: true,
    async run({ api, target }) {
      await target.restart();
      return {
        problems: unlike('lists', [await api.call('GET', '/api/v1/executions?limit=100')], (status) => status === 200),
      };
    },
  },
];

async function printed({ api }: Setting): Promise<string[]> {
  const cmd = `python3 -c "print('[' * ${PRINTED_DEPTH} + ']' * ${PRINTED_DEPTH})"`;
  return runAndList(api, { action: 'core.local', parameters: { cmd } });
}

async function answered({ api }: Setting): Promise<string[]> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(lists(PRINTED_DEPTH));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    return await runAndList(api, { action: 'core.http', parameters: { url } });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function runAndList(api: Setting['api'], request: object): Promise<string[]> {
  const id = memberOf(await api.call('POST', '/api/v1/executions', request), 'id');
  const status = await ended(api, id);
  const list = [
    await api.call('GET', '/api/v1/executions?limit=20'),
    await api.call('GET', `/api/v1/executions/${id}`),
  ];
  return [
    ...(status === 'succeeded' ? [] : [`the execution ended as "${status}"`]),
    ...unlike('reading it', list, (each) => each === 200),
  ];
}
