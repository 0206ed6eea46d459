import { fault, microsToIso, SECOND_MICROS, type Micros } from '@switchyard/base';
import { route, type Route } from '@switchyard/http';
import type { ExecutionRecord } from '@switchyard/model';
import { executionStatisticsAnswer } from '@switchyard/model/resources';
import { allFilters, between, type Filter } from '@switchyard/storage';
import type { ApiDependencies } from '../api-dependencies';
import { readTime } from '../lists/conditions';
import { visibleRecords } from '../permissions/visible-records';
import { visibleExecutions } from './execution-permissions';
import { executionFilters, executionQuery } from './list-query';
import { countedStatistics, type Intervals } from './statistics';

/** One request reads at most this many records, so that its cost does not grow with the history. */
const MOST_COUNTED = 20_000;
const MOST_INTERVALS = 200;
const HOUR_MICROS = 3600 * SECOND_MICROS;

const {
  timestamp: _timestamp,
  timestamp_gt: _after,
  timestamp_lt: _before,
  sort_asc: _ascending,
  sort_desc: _descending,
  sort: _sort,
  ...filters
} = executionFilters;

export const statisticsRoute = (deps: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/executions/views/statistics',
    operation: 'execution_views_statistics.get',
    summary: `Executions by time, status and action, and how long they took: of the newest ${MOST_COUNTED} of the range`,
    permission: 'execution_list',
    query: {
      ...filters,
      from: {
        type: 'string',
        description: 'Executions that started at this time or later; default: an hour before the end',
      },
      to: { type: 'string', description: 'Executions that started at this time or earlier; default: now' },
      buckets: {
        type: 'integer',
        default: 60,
        minimum: 1,
        maximum: MOST_INTERVALS,
        description: 'Number of intervals',
      },
    },
    response: { status: 200, schema: executionStatisticsAnswer },
    async handle({ query: { from, to, buckets, ...asked }, requester }) {
      const intervals = readIntervals({ from, to, count: buckets }, deps.clock.nowMicros());
      const started = { start_timestamp: between(intervals.from, intervals.to) };
      const matching: Filter<ExecutionRecord> = allFilters([started, executionQuery(asked).filter]);
      const filter = await visibleRecords(deps, requester, visibleExecutions, matching);
      return { status: 200, body: await countedStatistics(deps.executions.records, filter, intervals, MOST_COUNTED) };
    },
  });

interface AskedIntervals {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly count: number;
}

/** @throws Fault `request.time`, `execution.statistics-range` */
function readIntervals({ from, to, count }: AskedIntervals, now: Micros): Intervals {
  const end = to === undefined ? now : readTime(to);
  const start = from === undefined ? end - HOUR_MICROS : readTime(from);
  if (start >= end) throw fault('execution.statistics-range', { from: microsToIso(start), to: microsToIso(end) });
  return { from: start, to: end, count };
}
