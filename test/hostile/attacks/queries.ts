import { counted, isOk, isRefusal, scaled, unlike, type Attack, type Setting } from '../attack';
import { openRaw } from '../raw';

/** Path traversals out of a pack, in different spellings. */
const STEPS = ['..', '%2e%2e', '..%2f..', '..%5c..', '%252e%252e', '....//', '..%00', '..;', '.%2e', '%c0%ae%c0%ae'];
const FILE = /root:.*:0:0:/;

const NUMBERS = [
  '-1',
  '0',
  '-2',
  '2147483647',
  '2147483648',
  '9007199254740993',
  '1e308',
  '1e999',
  '-0',
  '0x10',
  'NaN',
  'Infinity',
  '1.5',
  '%00',
  ' ',
  '٣',
  '1'.repeat(1000),
];
const LISTS = [
  'executions',
  'actions',
  'rules',
  'packs',
  'apikeys',
  'keys',
  'traces',
  'triggerinstances',
  'ruleenforcements',
  'webhooks',
  'actionalias/help',
  'inquiries',
  'policies',
];
const PARAMETERS = 10_000;

const answered = (status: number): boolean => isOk(status) || isRefusal(status);

export const queryAttacks: readonly Attack[] = [
  {
    name: 'path traversal',
    does: 'asks for files outside of packs, in many spellings, and writes some',
    expects: 'refusals, and nothing of such a file',
    run: traversal,
  },
  {
    name: 'many parameters',
    does: `asks with ${PARAMETERS} parameters in the query, of one name and of many`,
    expects: 'answers or refusals',
    async run({ api, scale }) {
      const count = scaled(PARAMETERS, scale, 500);
      // Request headers are limited to 16 kB; longer ones are rejected before they are read.
      const answers = await Promise.all(
        [count, 2000, 700].flatMap((most) => [
          api.call('GET', `/api/v1/executions?${Array.from({ length: most }, (_, n) => `p${n}=1`).join('&')}`),
          api.call('GET', `/api/v1/executions?${'id=1&'.repeat(most)}`),
          api.call('GET', `/api/v1/actions?include_attributes=${'a,'.repeat(most)}`),
          api.call('GET', `/api/v1/executions?sort=${'-'.repeat(most)}`),
        ]),
      );
      return { problems: unlike('queries', answers, answered), note: counted(answers) };
    },
  },
  {
    name: 'huge numbers',
    does: 'asks every list with numbers as limit and offset that are none, or too large',
    expects: 'answers or refusals',
    async run({ api }) {
      const answers = [];
      // Sequential requests: hundreds of concurrent requests delay others by their number alone.
      for (const list of LISTS)
        for (const number of NUMBERS)
          answers.push(
            ...(await Promise.all(
              ['limit', 'offset'].map((name) => api.call('GET', `/api/v1/${list}?${name}=${encodeURI(number)}`)),
            )),
          );
      return { problems: unlike('lists', answers, answered), note: counted(answers) };
    },
  },
];

async function traversal({ api, target }: Setting) {
  const { api: address } = target.addresses;
  const paths = STEPS.flatMap((step) => [
    `/v1/packs/views/file/core/${`${step}/`.repeat(12)}etc/passwd`,
    `/v1/packs/views/file/${`${step}/`.repeat(12)}etc/passwd`,
    `/v1/packs/views/file/core/%2fetc%2fpasswd`,
    `/v1/packs/views/files/${encodeURIComponent(`${step}/`.repeat(12))}etc`,
    `/v1/actions/views/entry_point/core.${`${step}%2f`.repeat(12)}etc%2fpasswd`,
  ]);
  // Over a raw connection, since HTTP clients resolve dot segments before sending.
  const received = await Promise.all(paths.map((path) => overRaw(address, path, api)));
  const written = await Promise.all(
    ['../../out.sh', '/tmp/out.sh', 'a/../../../out.sh', 'actions/\0out.sh'].map((file_path) =>
      api.call('POST', '/api/v1/actions', {
        name: 'out',
        pack: 'default',
        runner_type: 'noop',
        data_files: [{ file_path, content: 'x' }],
      }),
    ),
  );
  return {
    problems: [
      ...received.flatMap((text, index) =>
        FILE.test(text) ? [`${paths[index] ?? ''} shows a file of the machine`] : [],
      ),
      ...received.flatMap((text, index) =>
        /^HTTP\/1\.1 5/.test(text) ? [`${paths[index] ?? ''} was answered with ${text.slice(9, 12)}`] : [],
      ),
      ...unlike('files outside', written, isRefusal),
    ],
  };
}

async function overRaw(address: string, path: string, { token }: Setting['api']): Promise<string> {
  const raw = openRaw(address);
  raw.write(
    `GET ${path} HTTP/1.1\r\nHost: ${new URL(address).host}\r\nX-Auth-Token: ${token()}\r\nConnection: close\r\n\r\n`,
  );
  const text = await raw.received(1000);
  raw.close();
  return text;
}
