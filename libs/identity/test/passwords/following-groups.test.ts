import { newId } from '@switchyard/base';
import { leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { followingGroups, pluginBackends, createPasswordBackend } from '../../src';

let platform: TestPlatform;
const later = leakCheck('all');
beforeAll(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
  for (const [group, role] of Object.entries({ ops: 'deployers', dev: 'readers' })) {
    const mapping = { _id: newId(), group, roles: [role], source: `mappings/${group}.yaml`, enabled: true };
    await platform.store.groupMappings.insert(mapping);
  }
});

/** A plug-in's backend with groups that the test sets. */
function backendWith(groups: () => unknown) {
  const lines: [string, string, Record<string, unknown>][] = [];
  const write =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}) =>
      void lines.push([level, message, fields]);
  const logger = { audit: write('audit'), info: write('info'), warn: write('warn') };
  const factory = () => ({
    authenticate: (_user: string, password: string) => Promise.resolve(password === 'right'),
    groupsOf: async () => groups(),
  });
  const added = pluginBackends([{ name: '@acme/groups', authBackends: { acme: factory } }]);
  const plain = createPasswordBackend('acme', null, logger, added);
  return { lines, backend: followingGroups('acme', plain, { store: platform.store, logger }) };
}
const rolesOf = async (user: string) => (await platform.store.roleAssignments.ofUser(user)).map(({ role }) => role);

describe('a login with groups', () => {
  it('gives the roles of the groups, and is in the audit log when they change', async () => {
    let groups = ['ops'];
    const { backend, lines } = backendWith(() => groups);
    expect(await backend.authenticate('ada', 'right')).toBe(true);
    expect(await rolesOf('ada')).toEqual(['deployers']);
    expect(await backend.authenticate('ada', 'right')).toBe(true);
    expect(lines).toEqual([['audit', 'Roles follow groups.', { user: 'ada', groups: ['ops'] }]]);
    groups = [];
    await backend.authenticate('ada', 'right');
    expect(await rolesOf('ada')).toEqual([]);
  });

  it('changes nothing when the password is wrong', async () => {
    const { backend } = backendWith(() => ['ops']);
    expect(await backend.authenticate('bob', 'wrong')).toBe(false);
    expect(await rolesOf('bob')).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    ['cannot be read', () => Promise.reject(new Error('away'))],
    ['are not texts', () => ['ops', 7]],
    ['are not a list', () => 'ops'],
  ])('succeeds and keeps roles when the groups %s', async (_name, groups) => {
    let answer: () => unknown = () => ['dev'];
    const { backend, lines } = backendWith(() => answer());
    await backend.authenticate('eve', 'right');
    answer = groups;
    expect(await backend.authenticate('eve', 'right')).toBe(true);
    expect(await rolesOf('eve')).toEqual(['readers']);
    expect(lines.at(-1)).toMatchObject(['warn', expect.stringContaining('do not follow'), { user: 'eve' }]);
  });
});

it('following groups needs a backend that has groups', () => {
  const logger = { audit: () => undefined, info: () => undefined, warn: () => undefined };
  const backend = createPasswordBackend('flat_file', { file_path: '/nowhere/htpasswd' }, logger);
  expect(() => followingGroups('flat_file', backend, { store: platform.store, logger })).toThrow(
    'rbac.sync_remote_groups = true needs an authentication backend that has groups, and "flat_file" has none',
  );
});
