import { t } from '@lingui/core/macro';
import type { ExecutionFilter, TimePeriod } from '../api/queries';

export const DAY_SECONDS = 86_400;

/** Time ranges that end now. */
export const RANGES: Readonly<Record<string, { label: string; seconds: number }>> = {
  '15m': { label: t`Last 15 minutes`, seconds: 900 },
  '1h': { label: t`Last hour`, seconds: 3600 },
  '1d': { label: t`Last 24 hours`, seconds: DAY_SECONDS },
  '7d': { label: t`Last 7 days`, seconds: 604_800 },
};

const EXECUTION_ID = /^[0-9a-f]{24}$/;

/** The period that the address names, if any. A period with an end alone is the day before it. */
export function periodOf(search: URLSearchParams): TimePeriod | undefined {
  const [from, to] = [search.get('from'), search.get('to')];
  if (from === null && to === null) {
    const since = RANGES[search.get('since') ?? ''];
    return since && { from: since.seconds };
  }
  return { from: from ?? DAY_SECONDS, ...(to !== null && { to }) };
}

/** Translates the address of the history into a filter of the API. */
export function filterOf(search: URLSearchParams, nowMs: number): ExecutionFilter {
  const text = search.get('text')?.trim() ?? '';
  const since = RANGES[search.get('since') ?? ''];
  const from = search.get('from') ?? (since && new Date(nowMs - since.seconds * 1000).toISOString());
  const to = search.get('to');
  return {
    ...given(search, 'status'),
    ...given(search, 'action'),
    ...given(search, 'user'),
    ...given(search, 'rule'),
    ...(search.get('tasks') === 'shown' || EXECUTION_ID.test(text) ? {} : { parent: 'null' }),
    ...(from ? { timestamp_gt: from } : {}),
    ...(to ? { timestamp_lt: to } : {}),
    ...textFilter(text),
  };
}

/** An id, conditions of the API (`parameters.cmd:date`), or the reference of an action. */
function textFilter(text: string): ExecutionFilter {
  if (text === '') return {};
  if (EXECUTION_ID.test(text)) return { id: text };
  return text.includes(':') ? { filter: text } : { action: text };
}

function given(search: URLSearchParams, name: keyof ExecutionFilter): ExecutionFilter {
  const value = search.get(name);
  return value ? { [name]: value } : {};
}
