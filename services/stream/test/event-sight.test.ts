import { fault, newId } from '@switchyard/base';
import { openAccess, type AccessControl } from '@switchyard/identity';
import { permissionsOf } from '@switchyard/model';
import { anExecution } from '@switchyard/testkit/platform';
import { eventSight } from '../src/event-sight';
import type { FeedItem } from '../src/message-feed';

/** A user with a role that has these grants, `permission@uid` each. */
function sightWith(...grants: string[]) {
  const permission_grants = grants.map((grant) => {
    const [permission = '', resource_uid = ''] = grant.split('@');
    return { id: newId(), permission_types: [permission], resource_uid };
  });
  const permissions = permissionsOf([{ name: 'r', system: false, permission_grants }]);
  const access: AccessControl = {
    ...openAccess,
    enabled: true,
    authorise({ user }, permission, resource, parents) {
      if (!permissions.allows(permission, resource, parents)) throw fault('auth.forbidden', { user, permission });
    },
  };
  const requester = { user: 'eve', method: 'token', location: 'header', isAdmin: false } as const;
  return eventSight({ access, executions: { records: { list: () => Promise.resolve([]) } } }, requester);
}

const id = newId();
const items = {
  execution: { exchange: 'execution', message: { id, ref: 'mine.run' } },
  liveaction: { exchange: 'liveaction', message: { id, ref: 'mine.run' } },
  output: { exchange: 'execution.output', message: { execution_id: id } },
  announcement: { exchange: 'announcement', message: { route: 'chatops' } },
  alias: { exchange: 'actionalias', message: { id, ref: 'mine.alias', change: 'update' } },
} as const;

it.each([
  ['nothing', [], []],
  ['an action', ['action_view@action:mine:run'], ['execution', 'liveaction', 'output']],
  ['the right to run an action', ['action_execute@action:mine:run'], ['execution', 'liveaction', 'output']],
  ['one execution', [`execution_view@execution:${id}`], ['execution', 'liveaction', 'output']],
  ['the actions of a pack', ['action_view@pack:mine'], ['execution', 'liveaction', 'output']],
  ['another action', ['action_view@action:mine:other'], []],
  ['the aliases of a pack', ['action_alias_view@pack:mine'], ['alias']],
  ['the action that announces', ['action_view@action:core:announcement'], ['announcement']],
])('a reader who was granted %s sees only its events', async (_what, grants, seen) => {
  const sight = sightWith(...grants);
  const shown: string[] = [];
  for (const [name, item] of Object.entries(items)) {
    const event = { name, actionRef: 'mine.run', body: {} };
    if (await sight.maySee(item as unknown as FeedItem, event)) shown.push(name);
  }
  expect(shown).toEqual(seen);
});

it('a credential that permits one action sees only its events, even without roles', async () => {
  const permission_grants = [{ resource_uid: 'action:mine:run', permission_types: ['action_view'] }];
  const restriction = permissionsOf([{ name: '', system: false, permission_grants }]);
  const requester = { user: 'eve', method: 'api key', location: 'header', isAdmin: false, restriction } as const;
  const executions = { records: { list: () => Promise.resolve([]) } };
  const sight = eventSight({ access: openAccess, executions }, requester);
  const sees = (name: keyof typeof items, actionRef: string) =>
    sight.maySee(items[name] as unknown as FeedItem, { name, actionRef, body: {} });
  expect([await sees('execution', 'mine.run'), await sees('alias', '')]).toEqual([true, false]);
  expect(await sees('output', 'other.run')).toBe(false);
});

it('an administrator who loses the role sees nothing more', async () => {
  let isAdmin = true;
  const access: AccessControl = {
    ...openAccess,
    enabled: true,
    authorise({ user }, permission) {
      if (!isAdmin) throw fault('auth.forbidden', { user, permission });
    },
  };
  const requester = { user: 'ada', method: 'token', location: 'header', isAdmin } as const;
  const sight = eventSight({ access, executions: { records: { list: () => Promise.resolve([]) } } }, requester);
  const sees = () => sight.maySee(items.execution as unknown as FeedItem, { name: 'execution__update', body: {} });
  expect(await sees()).toBe(true);
  isAdmin = false;
  expect(await sees()).toBe(false);
});

it('readers see their own executions below one that they may see, and others only with a permission', async () => {
  const sight = sightWith('action_view@action:mine:run');
  const below = (user: string, action_ref: string) =>
    sight.maySeeBelow(anExecution({ action_ref, context: { user, pack: 'mine' } }));
  expect([await below('eve', 'other.run'), await below('ada', 'mine.run')]).toEqual([true, true]);
  expect(await below('ada', 'other.run')).toBe(false);
});
