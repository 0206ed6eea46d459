import type { Filter } from 'ldapts';
import type { LdapSettings } from './ldap-settings';
import type { DirectorySearch } from './directory-session';
import { filledFilter } from './filled-filter';
import { ldapts } from './ldapts';

export interface DirectoryUser {
  readonly dn: string;
  /** As the user typed it. */
  readonly name: string;
}

type GroupSettings = Pick<LdapSettings, 'base' | 'scope' | 'groupPattern' | 'nestedGroups'>;

/** Searches below the base and in referrals. @returns DNs */
type SearchAll = (request: DirectorySearch) => Promise<readonly string[]>;

/** The number of groups in one search. */
const AT_ONCE = 50;

/** The DNs of the groups that have the user as a member, and, if requested, those that have these groups as members. */
export async function groupsOfUser(
  user: DirectoryUser,
  { base, scope, groupPattern, nestedGroups }: GroupSettings,
  search: SearchAll,
): Promise<readonly string[]> {
  const values = { user_dn: user.dn, username: user.name };
  const found = new Set(await search({ base, scope, filter: filledFilter(groupPattern, values) }));
  let newest = [...found];
  while (nestedGroups === 'walk' && newest.length > 0) {
    const above = await containing(newest, (filter) => search({ base, scope, filter }));
    newest = above.filter((dn) => !found.has(dn));
    for (const dn of newest) found.add(dn);
  }
  return [...found];
}

/** The groups that have one of these as a member. */
async function containing(dns: readonly string[], search: (filter: Filter) => Promise<readonly string[]>) {
  const { EqualityFilter, OrFilter } = ldapts();
  const found = new Set<string>();
  for (let first = 0; first < dns.length; first += AT_ONCE) {
    const filters = dns
      .slice(first, first + AT_ONCE)
      .flatMap((value) => [
        new EqualityFilter({ attribute: 'member', value }),
        new EqualityFilter({ attribute: 'uniqueMember', value }),
      ]);
    for (const dn of await search(new OrFilter({ filters }))) found.add(dn);
  }
  return [...found];
}
