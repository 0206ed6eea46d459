import { toReference } from '../records/reference';

/** The resources on which somebody has a permission. */
export interface GrantedResources {
  readonly uids: readonly string[];
  /** The names of granted resources of a type: `core` for `pack:core`. */
  names(type: string): string[];
  /** The references of granted resources of a type: `core.local` for `action:core:local`. */
  refs(type: string): string[];
}

export function grantedResources(uids: readonly string[]): GrantedResources {
  const names = (type: string) =>
    uids.filter((uid) => uid.startsWith(`${type}:`)).map((uid) => uid.slice(type.length + 1));
  return { uids, names, refs: (type) => names(type).map(referenceOf) };
}

function referenceOf(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : toReference(name.slice(0, colon), name.slice(colon + 1));
}
