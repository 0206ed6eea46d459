import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The packs and roles for measuring roles. The user of the role may use one pack in four. */
const PACKS = 40;
const EVERY = 4;
const ACTIONS = 15;
const RULES = 6;
const PARAMETERS = 5;

/** A user with a role for some packs, and an administrator. The passwords are those of `htpasswd`. */
export const ROLE_USER = { name: 'other', password: 'otherp' };
const ADMINISTRATOR = 'testu';

const packs = Array.from({ length: PACKS }, (_, index) => `bench_${String(index).padStart(2, '0')}`);
const permitted = packs.filter((_, index) => index % EVERY === EVERY - 1);

/** Actions that do nothing, in turn from each pack. */
export const actionOf = (index: number): string =>
  `${packs[index % PACKS] ?? ''}.action_${Math.floor(index / PACKS) % ACTIONS}`;

/** The records that the user of the role may see. */
export const PERMITTED = { action: `${permitted[1] ?? ''}.action_3`, rule: `${permitted[1] ?? ''}.rule_2` };

/** Writes packs with actions that do nothing and rules that are off. */
export function writePacks(directory: string): void {
  for (const pack of packs) {
    const put = putInto(join(directory, 'packs', pack));
    put('pack.yaml', [
      `name: ${pack}`,
      `ref: ${pack}`,
      'description: One of some packs.',
      'version: 1.0.0',
      'author: bench',
      'email: bench@example.org',
    ]);
    for (let number = 0; number < ACTIONS; number++) put(`actions/action_${number}.yaml`, action(number));
    for (let number = 0; number < RULES; number++) put(`rules/rule_${number}.yaml`, rule(pack, number));
  }
}

/** Writes a role for the permitted packs, and the assignment of an administrator. */
export function writeRoles(directory: string): void {
  const put = putInto(join(directory, 'rbac'));
  put('assignments/administrator.yaml', [`username: ${ADMINISTRATOR}`, 'roles: [admin]']);
  put('assignments/user.yaml', [`username: ${ROLE_USER.name}`, 'roles: [some-packs]']);
  const grants = permitted.map((pack) => grant(`pack:${pack}`, 'action_view, action_execute, rule_view'));
  put('roles/some-packs.yaml', role('some-packs', [...grants, '  - permission_types: [action_list, execution_list, rule_list]'])); // oxfmt-ignore
}

const ROLES_EACH = 4;

/** Writes roles of other users, and their assignments. Every user has four. */
export function writeMoreRoles(directory: string, { roles, assignments }: RoleCounts): void {
  const put = putInto(join(directory, 'rbac'));
  const name = (number: number) => `team-${number % roles}`;
  for (let number = 0; number < roles; number++) {
    const pack = packs[number % PACKS] ?? '';
    put(`roles/${name(number)}.yaml`, role(name(number), [grant(`pack:${pack}`, 'action_view, rule_view'), grant(`action:${pack}:action_1`, 'action_execute')])); // oxfmt-ignore
  }
  for (let user = 0; user < assignments / ROLES_EACH; user++) {
    const own = Array.from({ length: ROLES_EACH }, (_, index) => name(user + index));
    put(`assignments/user-${user}.yaml`, [`username: user-${user}`, `roles: [${[...new Set(own)].join(', ')}]`]);
  }
}

/** Numbers of roles and of assignments of a role to a user. */
export interface RoleCounts {
  readonly roles: number;
  readonly assignments: number;
}

const role = (name: string, grants: readonly string[]): string[] => [`name: ${name}`, 'permission_grants:', ...grants];
const grant = (uid: string, permissions: string): string =>
  `  - resource_uid: ${uid}\n    permission_types: [${permissions}]`;

const putInto = (root: string) => (path: string, lines: readonly string[]) => {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${lines.join('\n')}\n`);
};

const action = (number: number): string[] => [
  `name: action_${number}`,
  'runner_type: noop',
  `description: Does nothing, for the ${number}th time.`,
  'enabled: true',
  "entry_point: ''",
  'parameters:',
  ...Array.from({ length: PARAMETERS }, (_, index) => [
    `  parameter_${index}:`,
    '    type: string',
    `    description: The value number ${index} of those that it ignores.`,
  ]).flat(),
];

const rule = (pack: string, number: number): string[] => [
  `name: rule_${number}`,
  `description: Would do nothing whenever an action has ended.`,
  'enabled: false',
  'trigger:',
  '  type: core.st2.generic.actiontrigger',
  '  parameters: {}',
  'criteria:',
  '  trigger.action_name:',
  '    type: equals',
  `    pattern: ${pack}.none`,
  'action:',
  `  ref: ${pack}.action_${number}`,
  '  parameters:',
  '    parameter_0: "{{ trigger.execution_id }}"',
];
