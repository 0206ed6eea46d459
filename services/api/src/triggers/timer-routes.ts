import { fault, microsToIso } from '@switchyard/base';
import { route, type Route } from '@switchyard/http';
import type { TimerTimes, TriggerRecord } from '@switchyard/model';
import { timerTimesAnswer, triggerAnswer } from '@switchyard/model/resources';
import { storedRef, TIMER_TYPES, timerSchedule } from '@switchyard/triggers';
import { isOneOf } from '@switchyard/storage';
import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../api-dependencies';
import { findRecord } from '../find-record';
import { triggerView } from './trigger-views';
import { visibleByName, visibleRecords } from '../permissions/visible-records';
import { guardedTimer } from './trigger-permissions';

export const timerRoutes = (deps: ApiDependencies): Route[] => [listTimers(deps), getTimer(deps), getTimerTimes(deps)];

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

const MOST_TIMES = 100;

const getTimerTimes = (deps: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/timers/{ref_or_id}/next',
    operation: 'timers.get_next',
    summary: 'The next times of one timer',
    permission: 'timer_view',
    resource: ({ params }) => guardedTimer(deps.store, params.ref_or_id),
    query: { count: { type: 'integer', default: 10, minimum: 1, maximum: MOST_TIMES } },
    response: { status: 200, schema: timerTimesAnswer },
    handle: async ({ params, query }) => ({
      status: 200,
      body: await nextTimes(deps, await findRecord(deps.store.triggers, params.ref_or_id), query.count),
    }),
  });

/** @throws Fault `timer.type` for a trigger that is not a timer, and those of `timerSchedule` for an invalid timer */
async function nextTimes(
  { config, store, clock }: Pick<ApiDependencies, 'config' | 'store' | 'clock'>,
  { _id, ref, type, parameters }: TriggerRecord,
  count: number,
): Promise<TimerTimes> {
  typesFor(type);
  const now = clock.nowMicros();
  const entered = await store.timers.get(_id);
  const frame = { localZone: config.timersengine.local_timezone, anchor: entered?.anchor ?? now };
  const schedule = timerSchedule(type, parameters, frame);
  const times: string[] = [];
  for (let at = schedule.next(now); at !== undefined && times.length < count; at = schedule.next(at))
    times.push(microsToIso(at));
  return { timer: ref, registered: entered !== undefined, times };
}
