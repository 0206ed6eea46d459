import { isRefusal, unlike, type Attack, type Setting } from '../attack';
import { jsonOf, memberOf } from '../answer';
import { ended, request } from '../executions';
import { SECRETIVE } from '../users';

/** Plants the secrets. The search for leaks happens after all other attacks. */
export const plantingAttack: Attack = {
  name: 'planted secrets',
  does: 'gives secrets to the system: a parameter, an item of the datastore, a password, an API key, and wrong ones',
  expects: 'responses and refusals; none of the secrets in a log, an event, or a response that refuses something',
  async run(setting) {
    const { api, stranger, planted } = setting;
    const problems: string[] = [];
    const run = await request(api, 'hostile.keeper', { key: planted.parameter });
    await ended(api, memberOf(run, 'id'));
    const item = { name: 'hostile_secret', value: planted.datastoreItem, secret: true };
    await api.call('PUT', '/api/v1/keys/hostile_secret', item);
    const login = await loginAs(stranger, SECRETIVE, planted.password);
    planted.token = memberOf(login, 'token');
    const key = await api.call('POST', '/api/v1/apikeys', {});
    planted.apiKey = String((jsonOf(key) as { key?: string } | undefined)?.key ?? '');
    problems.push(
      ...unlike('the login', [login], (status) => status === 201),
      ...unlike('the key', [key], (status) => status === 201),
    );
    problems.push(...unlike('wrong uses', await wrongUses(setting), isRefusal));
    return { problems };
  },
};

const loginAs = (stranger: Setting['api'], user: string, password: string) =>
  stranger.send({
    method: 'POST',
    path: '/auth/v1/tokens',
    headers: {
      authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: '{}',
  });

/** Rejected requests, whose errors could carelessly repeat the input. */
function wrongUses({ api, stranger, planted }: Setting) {
  const { apiKey, token, parameter, wrongPassword, refusedValue } = planted;
  const get = (path: string, headers: Record<string, string> = {}) => stranger.send({ method: 'GET', path, headers });
  return Promise.all([
    loginAs(stranger, SECRETIVE, wrongPassword),
    get('/api/v1/actions', { 'st2-api-key': `${apiKey}`, 'x-auth-token': token }),
    get(`/api/v1/actions?x-auth-token=${token}&limit=nothing`),
    get(`/api/v1/actions?st2-api-key=${apiKey}&limit=nothing`),
    api.call('GET', `/api/v1/apikeys/${apiKey}x`),
    request(api, 'hostile.keeper', { key: [parameter] }),
    request(api, 'hostile.keeper', { key: parameter, cmd: 'true' }),
    request(api, 'hostile.keeper', { key: `{{ ${parameter.replaceAll('-', '_')} | nothing }}`, other: 1 }),
    api.call('PUT', '/api/v1/keys/hostile_secret', { name: 'hostile_secret', value: planted.datastoreItem, ttl: 'x' }),
    ...[
      refusedValue,
      [refusedValue],
      { name: 'x', value: [refusedValue] },
      { name: 'x', value: 'x', ttl: refusedValue },
    ].map((body) => api.call('PUT', '/api/v1/keys/hostile_secret', body)),
    api.call('PUT', '/api/v1/keys/hostile_secret', { name: 'x', value: refusedValue, encrypted: true }),
    request(api, 'hostile.keeper', [refusedValue] as never),
  ]);
}
