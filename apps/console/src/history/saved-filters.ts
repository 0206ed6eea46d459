import { t } from '@lingui/core/macro';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answerTo, apiClient, ApiFailure } from '../api/client';
import { currentUser } from '../api/queries';
import { useSession } from '../session/session';

/** A filter of the history under a name. */
export interface SavedFilter {
  readonly name: string;
  /** The search parameters of the history's address. */
  readonly search: string;
}

type SavedFilterList = readonly SavedFilter[];

export interface SavedFilters {
  readonly filters: SavedFilterList;
  /** The datastore, or this browser for users who may not write to their items. */
  readonly place: 'datastore' | 'browser';
}

/** The item of the user in the datastore. */
const ITEM = 'console.saved_filters';

const item = { path: { name: ITEM } };
const scope = 'user';

const browserKey = (user: string): string => `switchyard.saved_filters.${user}`;

const savedFiltersOf = (user: string) =>
  queryOptions({ queryKey: ['saved filters', user], queryFn: () => readFilters(user), staleTime: 30_000 });

/** The saved filters of the current user, and a function that changes them. */
export function useSavedFilters() {
  const client = useQueryClient();
  const { data: user } = useQuery(currentUser(useSession()?.token));
  const name = user?.username ?? '';
  const query = savedFiltersOf(name);
  const saved = useQuery({ ...query, enabled: user !== undefined });
  const change = useMutation({
    // Another tab or browser may have changed them.
    mutationFn: async (next: (filters: SavedFilterList) => SavedFilterList) =>
      writeFilters(name, next((await readFilters(name)).filters)),
    onSuccess: (written) => client.setQueryData(query.queryKey, written),
  });
  return { saved, change };
}

async function readFilters(user: string): Promise<SavedFilters> {
  const kept = localStorage.getItem(browserKey(user));
  if (kept !== null) return { place: 'browser', filters: parsedFilters(kept) };
  try {
    const { value } = await answerTo(apiClient.GET('/api/v1/keys/{name}', { params: { ...item, query: { scope } } }));
    return { place: 'datastore', filters: parsedFilters(value ?? '') };
  } catch (error) {
    if (hasStatus(error, 404)) return { place: 'datastore', filters: [] };
    if (hasStatus(error, 403)) return { place: 'browser', filters: [] };
    throw error;
  }
}

async function writeFilters(user: string, changed: SavedFilterList): Promise<SavedFilters> {
  const filters = changed.toSorted((a, b) => a.name.localeCompare(b.name));
  const value = JSON.stringify(filters);
  try {
    const body = { name: ITEM, value, scope, description: t`Saved filters of the history in the web console` } as const;
    await answerTo(apiClient.PUT('/api/v1/keys/{name}', { params: item, body }));
    localStorage.removeItem(browserKey(user));
    return { place: 'datastore', filters };
  } catch (error) {
    if (!hasStatus(error, 403)) throw error;
    localStorage.setItem(browserKey(user), value);
    return { place: 'browser', filters };
  }
}

const hasStatus = (error: unknown, status: number): boolean => error instanceof ApiFailure && error.status === status;

/** @throws Error if somebody has written something else */
function parsedFilters(text: string): SavedFilterList {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value) && value.every(isSavedFilter)) return value;
  } catch {
    // Reported below.
  }
  throw new Error(t`The item ${ITEM} does not contain saved filters. Delete it in the datastore.`);
}

function isSavedFilter(value: unknown): value is SavedFilter {
  const { name, search } = (value ?? {}) as Partial<SavedFilter>;
  return typeof name === 'string' && typeof search === 'string';
}
