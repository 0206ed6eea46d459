import type { Requester } from '@switchyard/http';
import { grantedResources, type GrantedResources } from '@switchyard/model';
import { allFilters, anyFilter, isOneOf, where, type Filter } from '@switchyard/storage';
import type { ApiDependencies } from '../api-dependencies';

/** The records of a list that a user without permission to view all of them may view. */
export interface Visibility<T> {
  /** `action_view` */
  readonly permission: string;
  /** With permission isolation, users see only records that have their name here. */
  readonly owner?: string;
  /** Filters of which a visible record matches at least one. */
  matching(granted: GrantedResources): readonly Filter<T>[] | Promise<readonly Filter<T>[]>;
}

type Deps = Pick<ApiDependencies, 'config' | 'identities'>;
type Viewer = Pick<Requester, 'user' | 'isAdmin' | 'restriction'>;

/** The resources that somebody may view; undefined for all. */
export async function grantedTo(
  { identities: { access } }: Deps,
  viewer: Viewer,
  permission: string,
): Promise<GrantedResources | undefined> {
  if (viewer.isAdmin) return undefined;
  const visible = await access.visible(viewer, permission);
  return visible === 'all' ? undefined : grantedResources(visible);
}

/**
 * Limits a list to the records that somebody may view. The store applies the limit, so pages are full and counts do not
 * reveal the number of other records.
 */
export async function visibleRecords<T extends { _id: string }>(
  deps: Deps,
  viewer: Viewer,
  visibility: Visibility<T>,
  filter: Filter<T> = {},
): Promise<Filter<T>> {
  const { permission, owner } = visibility;
  const visible = viewer.isAdmin ? 'all' : await deps.identities.access.visible(viewer, permission);
  const isolated = owner !== undefined && isIsolated(deps, viewer) ? [where<T>(owner, viewer.user)] : [];
  const alternatives = visible === 'all' ? [] : [await permitted(visibility, visible)];
  const conditions = [...isolated, ...alternatives];
  return conditions.length > 0 ? (allFilters([filter, ...conditions]) as Filter<T>) : filter;
}

/** What roles permit stays the same object until they change. So do the filters, and the store reads them once. */
const filtersOf = new WeakMap<readonly string[], WeakMap<object, unknown>>();

function permitted<T>(visibility: Visibility<T>, uids: readonly string[]): Filter<T> | Promise<Filter<T>> {
  const known = filtersOf.get(uids) ?? new WeakMap<object, unknown>();
  filtersOf.set(uids, known);
  const remembered = known.get(visibility) as Filter<T> | undefined;
  if (remembered) return remembered;
  const filters = visibility.matching(grantedResources(uids));
  // These depend on what is stored at present.
  if (filters instanceof Promise) return filters.then(oneOf);
  const filter = oneOf(filters);
  known.set(visibility, filter);
  return filter;
}

/** Whether permission isolation keeps somebody from the executions and rules of others. */
export const isIsolated = ({ config, identities: { access } }: Deps, { user, isAdmin }: Viewer): boolean =>
  config.rbac.permission_isolation && access.enabled && !isAdmin && user !== config.system_user.user;

const oneOf = <T>(alternatives: readonly Filter<T>[]): Filter<T> =>
  alternatives.length > 0 ? (anyFilter(alternatives) as Filter<T>) : where<T>('_id', isOneOf([]));

/** Whether a record of a pack is granted, directly or with its pack. @param granted undefined for all resources */
export function grantedReferences(granted: GrantedResources | undefined, type: string): (ref: string) => boolean {
  if (!granted) return () => true;
  const packs = new Set(granted.names('pack'));
  const refs = new Set(granted.refs(type));
  return (ref) => refs.has(ref) || packs.has(ref.slice(0, ref.indexOf('.')));
}

/** Records of packs: grants name them, or their pack. */
export const visibleInPacks = <T extends { pack: string; ref: string }>(
  type: string,
  permission = `${type}_view`,
): Visibility<T> => ({
  permission,
  matching: (granted) => [...among<T>('pack', granted.names('pack')), ...among<T>('ref', granted.refs(type))],
});

/** Records that grants name one by one. */
export const visibleByName = <T>(type: string, field: string, permission = `${type}_view`): Visibility<T> => ({
  permission,
  matching: (granted) => among<T>(field, granted.refs(type)),
});

/** A filter for some values of a field; none without values. */
export const among = <T>(field: string, values: readonly string[]): Filter<T>[] =>
  values.length > 0 ? [where<T>(field, isOneOf(values))] : [];
