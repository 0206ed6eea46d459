import { startSystem, type SystemProcess } from '../../system/system-process';
import { isRefusal, unlike, type Attack } from '../attack';
import { createCaller, type Caller } from '../caller';

const EVIL = 'http://evil.example';

/** These attacks start their own systems, since they need other configurations. */
export const openSystemAttacks: readonly Attack[] = [
  {
    name: 'foreign origins',
    does: 'sends what a website can send to a system without authentication: no content type, foreign Origin and Host',
    expects: 'refusals',
    async run() {
      const system = await startSystem({ environment: { SVC_AUTH__ENABLE: 'false' } });
      const caller = callerOf(system);
      const body = JSON.stringify({ action: 'core.local', parameters: { cmd: 'true' } });
      const post = (headers: Record<string, string>) =>
        caller.send({ method: 'POST', path: '/v1/executions', headers, body });
      const json = { 'content-type': 'application/json' };
      const refused = [
        await post({}),
        await post({ 'content-type': 'text/plain' }),
        await post({ origin: EVIL }),
        await post({ ...json, origin: EVIL }),
        await post({ ...json, host: 'evil.example' }),
        await caller.send({ method: 'GET', path: '/v1/executions', headers: { host: 'evil.example' } }),
      ];
      const allowed = await post(json);
      caller.close();
      await system.stop();
      return {
        problems: [
          ...unlike('foreign requests', refused, isRefusal),
          ...unlike('a local request', [allowed], (status) => status === 201),
        ],
      };
    },
  },
  {
    name: 'default account',
    does: 'logs in with the default password under a foreign Host and a foreign Origin',
    expects: 'refusals',
    async run() {
      const system = await startSystem({ users: false });
      const caller = callerOf(system);
      const authorization = `Basic ${Buffer.from('svcadmin:Ch@ngeMe').toString('base64')}`;
      const login = (headers: Record<string, string>) =>
        caller.send({ method: 'POST', path: '/auth/v1/tokens', headers: { authorization, ...headers }, body: '{}' });
      const refused = [await login({ host: 'evil.example' }), await login({ origin: EVIL })];
      const allowed = await login({});
      caller.close();
      await system.stop();
      return {
        problems: [
          ...unlike('foreign logins', refused, isRefusal),
          ...unlike('a local login', [allowed], (status) => status === 201),
        ],
      };
    },
  },
];

const callerOf = ({ api }: SystemProcess): Caller =>
  createCaller(
    (path) => api + path,
    () => ({}),
    () => undefined,
  );
