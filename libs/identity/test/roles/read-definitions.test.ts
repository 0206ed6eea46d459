import { join } from 'node:path';
import { describeProblem, readRoleDefinitions } from '../../src';
import { DEPLOYERS, definitionDirectory } from './definition-directory';

const directory = definitionDirectory();
afterAll(() => directory.remove());

const read = (files: Record<string, string>) => {
  directory.write(files);
  return readRoleDefinitions(directory.path);
};
const problemsOf = async (files: Record<string, string>) => (await read(files)).problems.map(describeProblem);

describe('role definitions', () => {
  it('are read from three directories, in the order of their names', async () => {
    const { roles, assignments, mappings, problems } = await read({
      'roles/z.yaml': 'name: last',
      'roles/deployers.yaml': DEPLOYERS,
      'assignments/ada.yaml': 'username: ada\nroles: [deployers, admin]\ndescription:\n',
      'mappings/ops.yaml': 'group: "CN=ops,DC=example"\nroles:\n  - observer',
      'roles/README.md': 'not a definition',
    });
    expect(problems).toEqual([]);
    expect(roles.map(({ path, content }) => [path, content.name])).toEqual([
      ['roles/deployers.yaml', 'deployers'],
      ['roles/z.yaml', 'last'],
    ]);
    expect(roles[0]?.content.permission_grants).toHaveLength(3);
    expect(assignments[0]?.content).toEqual({ username: 'ada', roles: ['deployers', 'admin'], enabled: true });
    expect(mappings[0]?.content).toMatchObject({ group: 'CN=ops,DC=example', roles: ['observer'] });
  });

  it('define nothing while they are disabled', async () => {
    const { roles, assignments, problems } = await read({
      'roles/a.yaml': 'name: a\nenabled: false',
      'assignments/ada.yaml': 'username: ada\nenabled: false\nroles: [a]',
    });
    expect({ roles, assignments, problems }).toEqual({ roles: [], assignments: [], problems: [] });
  });

  it('of a directory that is missing are refused, since applying them would remove everything', async () => {
    await expect(readRoleDefinitions(join(directory.path, 'nothing'))).rejects.toMatchObject({
      code: 'auth.role-definitions',
      message: expect.stringContaining(`${join(directory.path, 'nothing')} cannot be read: `),
    });
  });

  const role = (grants: string) => `name: a\npermission_grants:\n${grants}`;
  it.each<[string, Record<string, string>, string[]]>([
    ['an empty file', { 'roles/a.yaml': '# nothing\n' }, ['roles/a.yaml: line 1: The file is empty']],
    ['a list', { 'roles/a.yaml': '- name: a' }, ["roles/a.yaml: line 1: [{'name': 'a'}] is not of type 'object'"]],
    ['broken YAML', { 'roles/a.yaml': 'name: a\nroles: [x' }, ['roles/a.yaml: line 2: ']],
    [
      'a missing field',
      { 'assignments/a.yaml': 'username: a' },
      ["assignments/a.yaml: line 1: roles: 'roles' is a required"],
    ],
    [
      'an unknown field',
      { 'mappings/a.yaml': 'group: g\nroles: []\nrole: x' },
      ['mappings/a.yaml: line 1: Additional'],
    ],
    ['a wrong type', { 'roles/a.yaml': 'name: a\n\nenabled: maybe' }, ['roles/a.yaml: line 3: enabled: ']],
    ['a field that occurs twice', { 'roles/a.yaml': 'name: a\nname: b' }, ['roles/a.yaml: line 2: ']],
    [
      'a role twice',
      { 'assignments/a.yaml': 'username: a\nroles:\n - b\n - b' },
      ['assignments/a.yaml: line 2: roles: '],
    ],
    [
      'the name of a system role',
      { 'roles/a.yaml': 'name: admin' },
      ['roles/a.yaml: line 1: name: "admin" is a role of'],
    ],
    ['a file in place of a directory', { mappings: 'group: x' }, ['mappings: line 1: Cannot be read: ']],
    ['another ending', { 'roles/a.yml': 'name: a' }, ['roles/a.yml: line 1: The name must end in .yaml, not .yml']],
    [
      'permission types that do not fit',
      {
        'roles/a.yaml': role(
          '  - resource_uid: pack:core\n    permission_types:\n      - pack_view\n      - trace_view\n',
        ),
      },
      [
        'roles/a.yaml: line 6: permission_grants.0.permission_types.1: Invalid permission type "trace_view" for resource',
      ],
    ],
    [
      'every wrong permission type',
      { 'roles/a.yaml': role('  - permission_types: [nothing]\n  - permission_types: [rule_view]\n') },
      [
        'roles/a.yaml: line 3: permission_grants.0.permission_types.0: Unknown permission type "nothing"',
        'roles/a.yaml: line 4: permission_grants.1.permission_types.0: Permission type "rule_view" needs a "resource_uid"',
      ],
    ],
    [
      'a role in two files',
      { 'roles/a.yaml': 'name: same', 'roles/b.yaml': 'enabled: true\nname: same' },
      ['roles/b.yaml: line 2: name: "same" is already defined in roles/a.yaml'],
    ],
    [
      'a user in two files',
      { 'assignments/a.yaml': 'username: ada\nroles: []', 'assignments/b.yaml': 'username: ada\nroles: []' },
      ['assignments/b.yaml: line 1: username: "ada" is already defined in assignments/a.yaml'],
    ],
    [
      'roles that do not exist',
      {
        'assignments/a.yaml': 'username: ada\nroles:\n  - admin\n  - amdin',
        'mappings/g.yaml': 'group: g\nroles: [x]',
      },
      [
        'assignments/a.yaml: line 4: roles: No enabled file defines the role "amdin"',
        'mappings/g.yaml: line 2: roles: No enabled file defines the role "x"',
      ],
    ],
  ])('with %s are refused at their line', async (_name, files, expected) => {
    const found = await problemsOf(files);
    expect(found).toEqual(expected.map((text) => expect.stringContaining(text)));
  });
});
