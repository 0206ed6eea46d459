import type { ExecutionFilter } from '../api/queries';

/** Time ranges that end now. */
export const RANGES: Readonly<Record<string, { label: string; seconds: number }>> = {
  '15m': { label: 'Last 15 minutes', seconds: 900 },
  '1h': { label: 'Last hour', seconds: 3600 },
  '1d': { label: 'Last 24 hours', seconds: 86_400 },
  '7d': { label: 'Last 7 days', seconds: 604_800 },
};

const EXECUTION_ID = /^[0-9a-f]{24}$/;

/** Translates the address of the history into a filter of the API. */
export function filterOf(search: URLSearchParams, nowMs: number): ExecutionFilter {
  const text = search.get('text')?.trim() ?? '';
  const since = RANGES[search.get('since') ?? ''];
  return {
    ...given(search, 'status'),
    ...given(search, 'action'),
    ...given(search, 'user'),
    ...given(search, 'rule'),
    ...(search.get('tasks') === 'shown' || EXECUTION_ID.test(text) ? {} : { parent: 'null' }),
    ...(since ? { timestamp_gt: new Date(nowMs - since.seconds * 1000).toISOString() } : {}),
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
