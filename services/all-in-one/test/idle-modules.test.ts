import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const ENTRIES = join(__dirname, '../dist/entries.js');

/** Prints the packages that are loaded once a process knows its services. */
const PROGRAM = `
const { serviceEntry } = require(${JSON.stringify(ENTRIES)});
const names = process.argv.slice(1);
Promise.all(names.map(serviceEntry)).then(() => {
  const packages = Object.keys(require.cache).map((file) => /.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(file)?.[1]);
  console.log(JSON.stringify([...new Set(packages)].filter(Boolean).sort()));
});
`;

const packagesOf = (...services: string[]): string[] =>
  JSON.parse(execFileSync(process.execPath, ['-e', PROGRAM, ...services], { encoding: 'utf8' })) as string[];

/** Packages of single runners, of logins and of checks, which are loaded by their first use. */
const SELDOM_USED = [
  '@node-saml/node-saml',
  '@xmldom/xmldom',
  'apache-md5',
  'bcryptjs',
  'ldapts',
  'openid-client',
  'passport',
  'passport-http',
  'ssh2',
  'undici',
  'unixcrypt',
];

describe('the packages that a process loads before it has any work', () => {
  it('do not include those that are seldom used', () => {
    const loaded = packagesOf('auth', 'stream', 'action-runner', 'workflow-engine', 'sensor-container', 'api');
    expect(loaded).toEqual(expect.arrayContaining(['express', 'mongoose']));
    expect(loaded.filter((name) => SELDOM_USED.includes(name))).toEqual([]);
  });

  it('do not include an HTTP framework where no API is served', () => {
    const loaded = packagesOf('notifier', 'scheduler', 'rules-engine', 'timers', 'garbage-collector');
    expect(loaded).toContain('mongoose');
    expect(loaded).not.toContain('express');
  });
});
