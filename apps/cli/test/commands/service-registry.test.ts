import { startServer, type ScriptedServer } from '../../../../libs/client/test/support/scripted-server';
import { TOKEN } from '../support/contract-server';
import { svc } from '../support/run-svc';

const member = (group: string, pid: number) => ({
  group_id: group,
  member_id: `east_${pid}`,
  capabilities: { name: group, type: 'passive', hostname: 'east', pid },
});

let server: ScriptedServer;
beforeEach(async () => {
  server = await startServer();
  server.on('GET /v1/service_registry/groups', () => ({ body: { groups: ['notifier', 'scheduler'] } }));
  for (const [group, pid] of [
    ['notifier', 17],
    ['scheduler', 18],
  ] as const)
    // oxfmt-ignore
    server.on(`GET /v1/service_registry/groups/${group}/members`, () => ({ body: { members: [member(group, pid)] } }));
  const faultstring = 'Group with ID "clock" not found.';
  server.on('GET /v1/service_registry/groups/clock/members', () => ({ status: 404, body: { faultstring } }));
});
afterEach(() => server.close());
const run = (...args: string[]) =>
  svc(['service-registry', ...args], { HOME: '/nowhere', SVC_API_URL: `${server.url}/v1`, SVC_AUTH_TOKEN: TOKEN });

it('lists the groups', async () => {
  const { code, stdout } = await run('group', 'list', '-j');
  expect([code, JSON.parse(stdout)]).toEqual([0, [{ group_id: 'notifier' }, { group_id: 'scheduler' }]]);
});

it('lists the members of all groups, or of one', async () => {
  const all = await run('member', 'list', '-j');
  expect(JSON.parse(all.stdout)).toEqual([member('notifier', 17), member('scheduler', 18)]);
  const { stdout } = await run('member', 'list', '--group-id', 'scheduler');
  expect(stdout).toMatch(/\| group_id +\| member_id +\| capabilities/);
  expect(stdout).toContain('east_18');
  expect(stdout).not.toContain('notifier');
  expect(await run('member', 'list', '--group-id', 'clock')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Group with ID "clock" not found.'),
  });
});
