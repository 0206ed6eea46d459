/** Variables that describe the caller's own session and mean nothing to an action elsewhere. */
const PERSONAL = new Set(
  (
    'pwd mail username user path home ps1 shell pythonpath ssh_tty ssh_connection lang ls_colors logname oldpwd term ' +
    'xdg_session_id'
  ).split(' '),
);

/** Credentials of this command are not handed on. */
const OWN = /^(SVC|ST2)_(AUTH_TOKEN|API_KEY|BASIC_AUTH)$/;

/** The caller's environment for `run -e`. */
export const inheritedEnvironment = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && !PERSONAL.has(entry[0].toLowerCase()) && !OWN.test(entry[0]),
    ),
  );
