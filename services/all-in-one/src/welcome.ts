import type { PackChanges } from '@switchyard/assembly/register-packs';
import type { Config } from '@switchyard/config';
import { DEFAULT_ACCOUNT } from '@switchyard/identity';

export interface WelcomeFacts {
  config: Config;
  apiUrl: string;
  /** Whether the web console is built. */
  hasConsole: boolean;
  /** The account with a well-known password, if there is one. */
  account: string | undefined;
  seconds: number;
  packs: PackChanges;
  /** The directory that holds all data. */
  directory: string;
}

/** The text that a user sees once the system is up. */
export function welcome({ config, apiUrl, hasConsole, account, seconds, packs, directory }: WelcomeFacts): string {
  const { auth, stream } = config;
  const login =
    account === undefined
      ? `  svc login USER                            ${OWN_ACCOUNT[auth.mode]}`
      : `  svc login ${account} -p '${DEFAULT_ACCOUNT.password}'          the default account: change its password`;
  return [
    '',
    `Switchyard is up: self-check passed after ${seconds.toFixed(1)} s.`,
    '',
    ...(hasConsole ? [`  console ${apiUrl}/`] : []),
    `  API     ${apiUrl}/v1   (also /api/v1, /auth/v1, /stream/v1)`,
    `  auth    ${auth.use_ssl ? 'https' : 'http'}://${auth.host}:${auth.port}`,
    `  stream  http://${stream.host}:${stream.port}`,
    `  packs   ${packsText(packs)}`,
    `  data    ${directory}`,
    `  log     ${config.log.file ?? 'standard output'}`,
    '',
    'Next, in another terminal (svc is ./svc in a checkout):',
    login,
    '  svc run core.local cmd="echo hello"       run a command and show its result',
    '  svc execution list                        list executions',
    '  svc action list                           list actions',
    '',
    'Stop with Ctrl-C: running work finishes first. A second Ctrl-C exits immediately.',
    '',
    '',
  ].join('\n');
}

const OWN_ACCOUNT = { standalone: 'with an account of your password backend', proxy: 'at the address of your proxy' };

/** The packs that were read at the start. */
function packsText({ changed, unchanged }: PackChanges): string {
  if (unchanged.length === 0) return `${changed.length} registered`;
  const read = changed.length === 0 ? 'none has changed' : `${changed.length} had changed and were registered again`;
  return `${changed.length + unchanged.length}; ${read}; the files of ${unchanged.length} are now checked in the background`;
}
