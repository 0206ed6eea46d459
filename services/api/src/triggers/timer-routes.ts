import { fault } from '@switchyard/base';
import { route, type Route } from '@switchyard/http';
import type { TriggerRecord } from '@switchyard/model';
import { triggerAnswer } from '@switchyard/model/resources';
import { storedRef, TIMER_TYPES } from '@switchyard/triggers';
import { isOneOf } from '@switchyard/storage';
import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../api-dependencies';
import { findRecord } from '../find-record';
import { triggerView } from './trigger-views';
import { visibleByName, visibleRecords } from '../permissions/visible-records';
import { guardedTimer } from './trigger-permissions';

export const timerRoutes = (deps: ApiDependencies): Route[] => [listTimers(deps), getTimer(deps)];

const listTimers = (deps: ApiDependencies): Route => {
  const { store } = deps;
  return route({
    method: 'GET',
    path: '/timers',
    operation: 'timers.get_all',
    summary: 'All timers, in the order of their registration',
    permission: 'timer_list',
    query: { timer_type: { type: 'string', description: 'Reference of a trigger type: interval, date or cron timer' } },
    response: { status: 200, schema: Type.Array(triggerAnswer) },
    async handle({ query, requester }) {
      const asked = { type: isOneOf(typesFor(query.timer_type)) };
      const filter = await visibleRecords<TriggerRecord>(deps, requester, visibleByName('timer', 'ref'), asked);
      const triggers = await store.triggers.list({ filter, sort: { _id: 1 } });
      const entered = new Map((await store.timers.list()).map(({ _id, anchor }) => [_id, anchor]));
      // A timer that the timers service has not entered yet is the newest.
      const since = ({ _id }: { _id: string }): number => entered.get(_id) ?? Number.MAX_SAFE_INTEGER;
      return { status: 200, body: triggers.sort((a, b) => since(a) - since(b)).map(triggerView) };
    },
  });
};

/** @throws Fault `timer.type` for a trigger type that is not a timer */
function typesFor(asked: string | undefined): string[] {
  if (asked === undefined) return [...TIMER_TYPES];
  const type = storedRef(asked);
  if (TIMER_TYPES.includes(type)) return [type];
  throw fault('timer.type', { type: asked, supported: TIMER_TYPES.map((each) => `'${each}'`).join(', ') });
}

const getTimer = ({ store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/timers/{ref_or_id}',
    operation: 'timers.get_one',
    summary: 'One timer, or any other trigger',
    permission: 'timer_view',
    resource: ({ params }) => guardedTimer(store, params.ref_or_id),
    response: { status: 200, schema: triggerAnswer },
    handle: async ({ params }) => ({
      status: 200,
      body: triggerView(await findRecord(store.triggers, params.ref_or_id)),
    }),
  });
