import type * as Ssh2 from 'ssh2';

/** Loads ssh2 when the first remote command needs it. Most processes never do. */
// eslint-disable-next-line @typescript-eslint/no-require-imports -- keys are parsed in functions that are not asynchronous
export const ssh2 = (): typeof Ssh2 => require('ssh2') as typeof Ssh2;
