import { gzipSync } from 'node:zlib';
import { counted, isOk, isRefusal, isRefusalOrClosed, unlike, type Attack, type Setting } from '../attack';
import type { Answer } from '../answer';
import { webhookRule } from '../rules';

const json = { 'content-type': 'application/json' };
const NUL_KEY = { 'a\0b': 1 };

const withNul = (hook: string): readonly [method: string, path: string, body: object][] => [
  ['POST', '/api/v1/executions', { action: 'core.local', parameters: { cmd: 'true', env: NUL_KEY } }],
  ['POST', '/api/v1/actions', { name: 'nul', pack: 'default', runner_type: 'noop', parameters: NUL_KEY }],
  ['POST', '/api/v1/rules', { name: 'nul', pack: 'default', trigger: { type: 'core.st2.webhook', parameters: NUL_KEY }, criteria: NUL_KEY, action: { ref: 'core.noop' } }],
  ['POST', '/api/v1/triggertypes', { name: 'nul', pack: 'default', payload_schema: NUL_KEY }],
  ['POST', '/api/v1/apikeys', { metadata: NUL_KEY }],
  ['POST', '/api/v1/policies', { name: 'nul', pack: 'default', resource_ref: 'core.noop', policy_type: 'action.concurrency', parameters: NUL_KEY }],
  ['POST', '/api/v1/actionalias', { name: 'nul', pack: 'default', action_ref: 'core.noop', formats: ['x'], extra: NUL_KEY }],
  ['PUT', '/api/v1/configs/hostile', NUL_KEY],
  ['POST', hook, { deep: [NUL_KEY] }],
]; // oxfmt-ignore

const BAD_UTF8 = [
  Buffer.from([0xff, 0xfe]),
  Buffer.from([0xc0, 0xaf]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from([0xf4, 0x90, 0x80, 0x80]),
];
/** Lone surrogates in JSON notation. */
const LONE = '"\\ud800 \\udfff \\ud800\\ud800"';

export const textAttacks: readonly Attack[] = [
  {
    name: 'NUL in keys',
    does: 'sends keys with a NUL character to eight resources and a webhook',
    expects: 'refusals, and a rule that works',
    async run({ api }) {
      const rule = await webhookRule(api, 'hostile_nul');
      const answers = await Promise.all(withNul(rule.path).map(([method, path, body]) => api.call(method, path, body)));
      return {
        problems: [...unlike('keys with NUL', answers, isRefusal), ...(await rule.works())],
        note: counted(answers),
      };
    },
  },
  {
    name: 'bad UTF-8',
    does: 'sends bytes that are not UTF-8 in bodies, paths and queries, and halves of surrogate pairs in JSON',
    expects: 'refusals; halves of pairs may be taken',
    run: badTexts,
  },
  {
    name: 'compressed bodies',
    does: 'sends compressed bodies that become large',
    expects: 'refusals',
    async run({ api, stranger }) {
      const body = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
      const post = (encoding: string) => ({ method: 'POST', headers: { ...json, 'content-encoding': encoding }, body });
      const encodings = ['gzip', 'deflate', 'br', 'gzip, gzip', 'x-gzip'];
      const answers = await Promise.all([
        ...encodings.map((encoding) => api.send({ ...post(encoding), path: '/api/v1/executions' })),
        ...encodings.map((encoding) => stranger.send({ ...post(encoding), path: '/auth/v1/tokens' })),
      ]);
      return { problems: unlike('compressed bodies', answers, isRefusalOrClosed), note: counted(answers) };
    },
  },
];

async function badTexts({ api, stranger }: Setting) {
  const inBodies = BAD_UTF8.map((bytes) => {
    const body = Buffer.concat([Buffer.from('{"action":"core.noop","user":"'), bytes, Buffer.from('"}')]);
    return api.send({ method: 'POST', path: '/api/v1/executions', headers: json, body });
  });
  const inUrls = ['%ff', '%c0%af', '%ed%a0%80', '%', '%zz', '%00'].flatMap((text) => [
    api.call('GET', `/api/v1/actions/${text}`),
    api.call('GET', `/api/v1/actions?name=${text}`),
    stranger.call('GET', `/api/v1/${text}`),
  ]);
  const lone = await Promise.all(
    [
      ['POST', '/api/v1/executions', `{"action":"core.noop","context":{"a":${LONE}}}`],
      ['POST', '/api/v1/executions', `{"action":${LONE}}`],
      ['PUT', '/api/v1/keys/hostile_lone', `{"name":"hostile_lone","value":${LONE}}`],
      ['POST', '/api/v1/apikeys', `{"metadata":{${LONE}:${LONE}}}`],
      ['POST', '/api/v1/actionalias/match', `{"command":${LONE}}`],
    ].map(([method = '', path = '', body]) => api.send({ method, path, headers: json, body })),
  );
  const answered = (status: number) => isOk(status) || isRefusal(status);
  const [bodies, urls] = [await Promise.all(inBodies), await Promise.all(inUrls)] as [Answer[], Answer[]];
  return {
    problems: [
      ...unlike('bytes in bodies', bodies, isRefusal),
      ...unlike('bytes in URLs', urls, answered),
      ...unlike('halves of pairs', lone, answered),
      ...unlike('the list afterwards', [await api.call('GET', '/api/v1/executions?limit=10')], isOk),
    ],
    note: `${counted(bodies)}; ${counted(urls)}; ${counted(lone)}`,
  };
}
