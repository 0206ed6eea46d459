import { randomHex } from '@switchyard/base';
import type { Logger } from '@switchyard/telemetry';
import type { PasswordBackend } from '../password-backend';
import { groupsOfUser, type DirectoryUser } from './directory-groups';
import { directoryOf, type Directory, type FoundEntry } from './directory';
import { isRefusedUser } from './directory-session';
import { comparableDn } from './distinguished-name';
import { filledFilter } from './filled-filter';
import { ineffectiveArguments, ldapSettings, type LdapSettings } from './ldap-settings';

type LdapLogger = Pick<Logger, 'info' | 'warn'>;

/**
 * Checks passwords by logging in to an LDAP server: a service account looks for the user, the user binds with the password, and
 * the service account looks for the groups. Each login has connections of its own.
 * @param given `auth.backend_kwargs` @throws Fault `config.conflict`
 */
export function createLdapBackend(given: Readonly<Record<string, unknown>>, logger: LdapLogger): PasswordBackend {
  const settings = ldapSettings(given);
  for (const name of ineffectiveArguments(given)) {
    logger.warn('An argument of the backend ldap has no effect: groups are read at each login.', { name });
  }
  const use = directoryOf(settings, logger);
  return {
    async authenticate(user, password) {
      // A bind without a password succeeds as an anonymous user.
      if (user === '' || password === '') return false;
      return use(async (directory) => {
        const entry = await findUser(user, settings, directory, logger);
        if (!entry) {
          await bindAsNobody(directory, settings, password);
          return false;
        }
        if (!(await bindsAs(entry, password))) return false;
        await directory.bindAgain(entry.session);
        return isMember(await groupsIn(directory, { dn: entry.dn, name: user }, settings), settings);
      });
    },
    groupsOf: (user) =>
      use(async (directory) => {
        const entry = await findUser(user, settings, directory, logger);
        return entry ? groupsIn(directory, { dn: entry.dn, name: user }, settings) : [];
      }),
  };
}

/** Enough to distinguish one entry from several. */
const MOST_USERS = 2;

async function findUser(
  username: string,
  { base, scope, accountPattern }: LdapSettings,
  directory: Directory,
  logger: LdapLogger,
): Promise<FoundEntry | undefined> {
  const filter = filledFilter(accountPattern, { username });
  const [entry, ...others] = await directory.search({ base, scope, filter, most: MOST_USERS });
  if (others.length === 0) return entry;
  logger.warn('Several LDAP entries belong to the name of one user, who cannot log in.', { user: username });
  return undefined;
}

/** Calls the server as for a known user with a wrong password, so that the time of a login does not reveal which names
 * exist. */
async function bindAsNobody({ main }: Directory, { base }: LdapSettings, password: string): Promise<void> {
  const dn = `cn=${randomHex(NAME_DIGITS)},${base}`;
  // Servers refuse unknown names in different ways.
  await main.bind(dn, password).catch(() => undefined);
}

const NAME_DIGITS = 16;

async function bindsAs({ dn, session }: FoundEntry, password: string): Promise<boolean> {
  try {
    await session.bind(dn, password);
    return true;
  } catch (error) {
    if (isRefusedUser(error)) return false;
    throw error;
  }
}

const groupsIn = (directory: Directory, user: DirectoryUser, settings: LdapSettings): Promise<readonly string[]> =>
  groupsOfUser(user, settings, async (request) => (await directory.search(request)).map(({ dn }) => dn));

function isMember(groups: readonly string[], { groupDns, groupCheck }: LdapSettings): boolean {
  const has = new Set(groups.map(comparableDn));
  const isIn = (dn: string) => has.has(comparableDn(dn));
  return groupCheck === 'and' ? groupDns.every(isIn) : groupDns.some(isIn);
}
