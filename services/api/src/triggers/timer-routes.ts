import { fault, isFault, microsToIso, SECOND_MICROS, slices, type Micros } from '@switchyard/base';
import { listResponse, pageParameters, readPage, route, type Requester, type Route } from '@switchyard/http';
import type { TimerTimes, TriggerRecord, UpcomingTimes } from '@switchyard/model';
import { timerTimesAnswer, triggerAnswer, upcomingTimesAnswer } from '@switchyard/model/resources';
import { storedRef, TIMER_TYPES, timerSchedule, type TimerFrame } from '@switchyard/triggers';
import { isOneOf } from '@switchyard/storage';
import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../api-dependencies';
import { findRecord } from '../find-record';
import { triggerView } from './trigger-views';
import { visibleByName, visibleRecords } from '../permissions/visible-records';
import { guardedTimer } from './trigger-permissions';

export const timerRoutes = (deps: ApiDependencies): Route[] => [
  listTimers(deps),
  getUpcomingTimes(deps),
  getTimer(deps),
  getTimerTimes(deps),
];

const listTimers = (deps: ApiDependencies): Route => {
  const { config, store } = deps;
  return route({
    method: 'GET',
    path: '/timers',
    operation: 'timers.get_all',
    summary: 'All timers, in the order of their registration',
    permission: 'timer_list',
    query: {
      timer_type: { type: 'string', description: 'Reference of a trigger type: interval, date or cron timer' },
      ...pageParameters,
    },
    response: { status: 200, schema: Type.Array(triggerAnswer) },
    async handle(request) {
      const page = readPage(request, { maxPageSize: config.api.max_page_size });
      const triggers = await visibleTimers(deps, request.requester, typesFor(request.query.timer_type));
      const entered = new Map((await store.timers.list()).map(({ _id, anchor }) => [_id, anchor]));
      // A timer that the timers service has not entered yet is the newest.
      const since = ({ _id }: { _id: string }): number => entered.get(_id) ?? Number.MAX_SAFE_INTEGER;
      const end = page.limit === undefined ? undefined : page.offset + page.limit;
      const shown = triggers.toSorted((a, b) => since(a) - since(b)).slice(page.offset, end);
      return listResponse(shown.map(triggerView), triggers.length, page);
    },
  });
};

async function visibleTimers(deps: ApiDependencies, requester: Requester, types: string[]): Promise<TriggerRecord[]> {
  const asked = { type: isOneOf(types) };
  const filter = await visibleRecords<TriggerRecord>(deps, requester, visibleByName('timer', 'ref'), asked);
  return deps.store.triggers.list({ filter, sort: { _id: 1 } });
}

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
  trigger: TriggerRecord,
  count: number,
): Promise<TimerTimes> {
  typesFor(trigger.type);
  const now = clock.nowMicros();
  const entered = await store.timers.get(trigger._id);
  const frame = { localZone: config.timersengine.local_timezone, anchor: entered?.anchor ?? now };
  const { times } = timesBetween(trigger, frame, { after: now, until: Infinity, most: count });
  return { timer: trigger.ref, registered: entered !== undefined, times };
}

interface AskedTimes {
  readonly after: Micros;
  readonly until: Micros;
  readonly most: number;
}

/** @throws Fault those of `timerSchedule` for an invalid timer */
function timesBetween(
  { type, parameters }: TriggerRecord,
  frame: TimerFrame,
  { after, until, most }: AskedTimes,
): Pick<UpcomingTimes, 'times' | 'more'> {
  const schedule = timerSchedule(type, parameters, frame);
  const times: string[] = [];
  let at = schedule.next(after);
  for (; at !== undefined && at <= until && times.length < most; at = schedule.next(at)) times.push(microsToIso(at));
  return { times, more: at !== undefined && at <= until };
}

const HOUR_MICROS = 3600 * SECOND_MICROS;
const MOST_HOURS = 7 * 24;
/** Of one timer: beyond that, its interval says more than a longer list. */
const MOST_UPCOMING = 50;

const getUpcomingTimes = (deps: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/timers/views/upcoming',
    operation: 'timers_views_upcoming.get',
    summary: `When all timers fire in the next hours; the first ${MOST_UPCOMING} times of each`,
    permission: 'timer_list',
    query: {
      hours: { type: 'integer', default: 24, minimum: 1, maximum: MOST_HOURS, description: 'Length of the period' },
    },
    response: { status: 200, schema: Type.Array(upcomingTimesAnswer) },
    async handle({ query: { hours }, requester }) {
      const triggers = await visibleTimers(deps, requester, [...TIMER_TYPES]);
      const entered = new Map((await deps.store.timers.list()).map(({ _id, anchor }) => [_id, anchor]));
      const now = deps.clock.nowMicros();
      const asked = { after: now, until: now + hours * HOUR_MICROS, most: MOST_UPCOMING };
      const localZone = deps.config.timersengine.local_timezone;
      const work = slices();
      const upcoming: UpcomingTimes[] = [];
      for (const trigger of triggers) {
        await work.next();
        const anchor = entered.get(trigger._id);
        upcoming.push({
          timer: trigger.ref,
          registered: anchor !== undefined,
          ...timesOrProblem(trigger, { localZone, anchor: anchor ?? now }, asked),
        });
      }
      return { status: 200, body: upcoming };
    },
  });

/** One invalid timer must not hide the others. */
function timesOrProblem(
  trigger: TriggerRecord,
  frame: TimerFrame,
  asked: AskedTimes,
): Pick<UpcomingTimes, 'times' | 'more' | 'problem'> {
  try {
    return timesBetween(trigger, frame, asked);
  } catch (error) {
    if (!isFault(error)) throw error;
    return { times: [], more: false, problem: error.message };
  }
}
