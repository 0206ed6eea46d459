import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { ExecutionRow, ShownExecution } from './client';
import { readEvents } from './events';
import { keys, type PageOfExecutions } from './queries';

export type Connection = 'connecting' | 'live' | 'lost';

/** How often collected events are applied to the cache. */
const APPLY_MS = 250;
/** The shortest interval between two reads of a list. */
const REFRESH_MS = 1000;

let connection: Connection = 'connecting';
const listeners = new Set<() => void>();

export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => connection);

/**
 * Keeps the cache current while the user is logged in: changed executions are written into it, and lists that may have changed
 * are read again. After an interruption everything on the screen is read again, so nothing is missed.
 * @returns a function that ends it
 */
export function startLiveUpdates(client: QueryClient): () => void {
  const changed = new Map<string, ExecutionRow>();
  const stale = new Map<string, QueryKey>();
  let wasLost = false;
  const apply = setInterval(() => {
    applyChanges(client, [...changed.values()]);
    changed.clear();
  }, APPLY_MS);
  const refresh = setInterval(() => {
    for (const queryKey of stale.values()) void client.invalidateQueries({ queryKey });
    stale.clear();
  }, REFRESH_MS);
  const close = readEvents({
    address: '/stream/v1/stream?events=st2.execution__*',
    onOpen() {
      report('live');
      if (wasLost) void client.invalidateQueries();
      wasLost = false;
    },
    onLost() {
      wasLost = true;
      report('lost');
    },
    onEvent({ name, data }) {
      const row = data as ExecutionRow;
      if (!name.includes('execution__') || typeof row?.id !== 'string') return;
      changed.set(row.id, row);
      for (const queryKey of affectedLists(row)) stale.set(JSON.stringify(queryKey), queryKey);
    },
  });
  return () => {
    close();
    clearInterval(apply);
    clearInterval(refresh);
    report('connecting');
  };
}

function applyChanges(client: QueryClient, rows: readonly ExecutionRow[]): void {
  if (rows.length === 0) return;
  const byId = new Map(rows.map((row) => [row.id, row]));
  client.setQueriesData<PageOfExecutions>({ queryKey: keys.pages }, (page) => page && patched(page, byId));
  for (const row of rows) {
    client.setQueryData<ShownExecution>(
      keys.execution(row.id),
      (known) => known && ({ ...known, ...row } as ShownExecution),
    );
  }
}

function patched(page: PageOfExecutions, byId: ReadonlyMap<string, ExecutionRow>): PageOfExecutions {
  if (!page.rows.some(({ id }) => byId.has(id))) return page;
  return { ...page, rows: page.rows.map((row) => ({ ...row, ...byId.get(row.id) })) };
}

function affectedLists({ id, parent, status }: ExecutionRow): QueryKey[] {
  return [
    keys.pages,
    keys.graph(id),
    ...(parent === undefined ? [] : [keys.children(parent), keys.graph(parent)]),
    ...(status === 'pending' || parent !== undefined ? [keys.inquiries] : []),
  ];
}

function report(next: Connection): void {
  connection = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
