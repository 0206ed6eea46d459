import { setTimeout as wait } from 'node:timers/promises';
import { scaled, unlike, type Attack, type Setting } from '../attack';
import { openRaw, statusesIn, type RawConnection } from '../raw';

const SLOW_CLIENTS = 200;
const SLOW_MS = 10_000;
const HALVES = 500;

export const socketAttacks: readonly Attack[] = [
  {
    name: 'slow clients',
    does: `has ${SLOW_CLIENTS} clients send a byte a second, of heads and of bodies, and read as slowly`,
    expects: 'the usual responses to other clients',
    run: slowClients,
  },
  {
    name: 'half requests',
    does: `opens ${HALVES} connections that break off in the middle of heads and bodies`,
    expects: 'no trace of them',
    run: halfRequests,
  },
  {
    name: 'smuggled requests',
    does: 'sends requests whose length can be understood in two ways, with another request in what one of them leaves over',
    expects: 'one answer at most, a refusal, and a closed connection',
    run: smuggledRequests,
  },
  {
    name: 'huge heads',
    does: 'sends heads with long and with many fields, and long paths',
    expects: 'refusals',
    run: hugeHeads,
  },
];

const hostOf = ({ target }: Setting): string => new URL(target.addresses.api).host;

async function slowClients(setting: Setting) {
  const { target, scale, api } = setting;
  const text = `POST /v1/executions HTTP/1.1\r\nHost: ${hostOf(setting)}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`;
  const open = Array.from({ length: scaled(SLOW_CLIENTS, scale, 20) }, (_, index) => {
    const raw = openRaw([target.addresses.api, target.addresses.auth, target.addresses.stream][index % 3] as string);
    raw.socket.pause();
    // Some connections are in the header, some in the body.
    let sent = index % 2 === 0 ? 10 : text.length - 5;
    raw.write(text.slice(0, sent));
    const timer = setInterval(() => raw.write(text[sent++] ?? ' '), 1000);
    raw.socket.on('close', () => clearInterval(timer));
    return raw;
  });
  await wait(scaled(SLOW_MS, scale, 3000));
  const list = await api.call('GET', '/api/v1/executions?limit=1');
  for (const raw of open) raw.close();
  return { problems: unlike('a list meanwhile', [list], (status) => status === 200) };
}

async function halfRequests(setting: Setting) {
  const { target, scale } = setting;
  const text = `POST /v1/webhooks/nothing HTTP/1.1\r\nHost: ${hostOf(setting)}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\nff\r\n`;
  for (let index = 0; index < scaled(HALVES, scale, 50); index++) {
    const raw = openRaw(Object.values(target.addresses)[index % 3] as string);
    raw.write(text.slice(0, 1 + ((index * 7) % text.length)));
    await wait(2);
    if (index % 2 === 0) raw.close();
    else raw.socket.resetAndDestroy();
  }
  return { problems: [] };
}

const SMUGGLED = 'GET /healthz HTTP/1.1\r\nHost: smuggled\r\n\r\n';

/** Headers after the request line and Host, and bodies. */
const FORMS: readonly [head: string, body: string][] = [
  ['Content-Length: 4\r\nTransfer-Encoding: chunked', `0\r\n\r\n${SMUGGLED}`],
  [`Content-Length: ${SMUGGLED.length + 5}\r\nTransfer-Encoding: chunked`, `0\r\n\r\n${SMUGGLED}`],
  ['Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', `0\r\n\r\n${SMUGGLED}`],
  ['Transfer-Encoding: xchunked', `0\r\n\r\n${SMUGGLED}`],
  ['Transfer-Encoding : chunked', `0\r\n\r\n${SMUGGLED}`],
  ['Transfer-Encoding: identity, chunked\r\nContent-Length: 2', `0\r\n\r\n${SMUGGLED}`],
  [`Content-Length: 0\r\nContent-Length: ${SMUGGLED.length}`, SMUGGLED],
  [`Content-Length: 0, ${SMUGGLED.length}`, SMUGGLED],
  ['Content-Length: -1', SMUGGLED],
  ['Content-Length: +0', SMUGGLED],
  ['Content-Length: 0x0', SMUGGLED],
  [`Content-Length: 99999999999999999999999`, SMUGGLED],
  ['Transfer-Encoding: chunked', `0;${'x'.repeat(20_000)}\r\n\r\n${SMUGGLED}`],
  ['Transfer-Encoding: chunked', `fffffffffffffffff\r\n${SMUGGLED}`],
  ['Transfer-Encoding: chunked', `1\nx\n0\n\n${SMUGGLED}`],
  ['X: a\r\n Content-Length: 5', SMUGGLED],
  ['X: a\rTransfer-Encoding: chunked', SMUGGLED],
  ['X: a\nContent-Length: 5', SMUGGLED],
  ['\0: a', SMUGGLED],
];

async function smuggledRequests(setting: Setting) {
  const problems = await Promise.all(
    FORMS.map(async ([head, body]) => {
      const raw = openRaw(setting.target.addresses.api);
      raw.write(`POST /v1/executions HTTP/1.1\r\nHost: ${hostOf(setting)}\r\n${head}\r\n\r\n${body}`);
      const received = await raw.received(1500);
      raw.close();
      const statuses = statusesIn(received);
      return statuses.length > 1 || statuses.some((status) => status < 400 || status >= 500)
        ? [`${JSON.stringify(head)} was answered with ${statuses.join(' and ')}`]
        : [];
    }),
  );
  return { problems: problems.flat() };
}

async function hugeHeads(setting: Setting) {
  const head = (fields: string, path = '/v1/executions') =>
    `GET ${path} HTTP/1.1\r\nHost: ${hostOf(setting)}\r\n${fields}\r\n\r\n`;
  const forms: readonly string[] = [
    head(`X: ${'a'.repeat(1_000_000)}`),
    head(Array.from({ length: 20_000 }, (_, n) => `X-${n}: 1`).join('\r\n')),
    head(Array.from({ length: 5_000 }, () => 'Cookie: a=b').join('\r\n')),
    head(`X-Auth-Token: ${'a'.repeat(15_000)}`),
    head(`St2-Api-Key: ${'a'.repeat(15_000)}`),
    head(`Authorization: Basic ${'a'.repeat(15_000)}`),
    head('X: 1', `/v1/executions?${'a=1&'.repeat(100_000)}`),
    head('X: 1', `/${'v1/'.repeat(5000)}`),
    head('X: 1', `/${'a'.repeat(15_000)}`),
    'A'.repeat(100_000),
    `GET /${' '.repeat(1000)} HTTP/1.1\r\n\r\n`,
    'GET http://evil.example/v1/executions HTTP/1.1\r\nHost: evil.example\r\n\r\n',
    'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'GET /v1/executions HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    'GET /v1/executions HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\n\r\n',
  ];
  const answers = await Promise.all(forms.map((form) => statusOf(openRaw(setting.target.addresses.api), form)));
  const problems = answers.flatMap((statuses, index) =>
    statuses.every((status) => status >= 400 && status < 500)
      ? []
      : [`${JSON.stringify(forms[index]?.slice(0, 60))}… was answered with ${statuses.join(' and ')}`],
  );
  return { problems };
}

async function statusOf(raw: RawConnection, form: string): Promise<number[]> {
  raw.write(form);
  const received = await raw.received(1500);
  raw.close();
  return statusesIn(received);
}
