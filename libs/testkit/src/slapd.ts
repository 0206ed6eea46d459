import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyPair } from './certificates';
import { freePort } from './free-port';
import { eventually } from './platform';

/** An OpenLDAP server on its own ports and data. */
export interface Slapd {
  readonly host: string;
  readonly port: number;
  /** The port with TLS from the first byte. */
  readonly tlsPort: number;
  /** Everything it has logged so far: connections, calls, filters. */
  log(): string;
  stop(): Promise<void>;
}

export interface SlapdOptions {
  /** Its entries, which may depend on its port. The first is the suffix. */
  readonly ldif: string | ((port: number) => string);
  readonly suffix: string;
  /** An address of this machine. Default: 127.0.0.1 */
  readonly host?: string;
  /** Default: free ones. */
  readonly port?: number;
  /** Its certificate, with the certificate of the authority that it accepts. */
  readonly tls?: KeyPair & { readonly authority: string };
  /** More lines of its configuration, after those of the database. */
  readonly config?: readonly string[];
}

const SLAPD = '/usr/sbin/slapd';
const MODULES = '/usr/lib/ldap';
const SCHEMAS = '/etc/ldap/schema';

/** The program for `startSlapd` that this machine lacks; undefined if it has all. */
export const missingSlapd = (): string | undefined => (existsSync(SLAPD) ? undefined : 'slapd (package slapd)');

export async function startSlapd(options: SlapdOptions): Promise<Slapd> {
  const { host = '127.0.0.1' } = options;
  const folder = mkdtempSync(join(tmpdir(), 'slapd-'));
  const [port, tlsPort] = [options.port ?? (await freePort(host)), await freePort(host)];
  const configFile = join(folder, 'slapd.conf');
  mkdirSync(join(folder, 'data'));
  writeFileSync(configFile, configuration(folder, options));
  writeFileSync(join(folder, 'entries.ldif'), typeof options.ldif === 'string' ? options.ldif : options.ldif(port));
  const added = spawnSync(SLAPD, ['-Tadd', '-f', configFile, '-l', join(folder, 'entries.ldif')], { encoding: 'utf8' });
  if (added.status !== 0) throw new Error(`slapadd: ${added.stderr}`);
  const urls = [`ldap://${host}:${port}`, ...(options.tls ? [`ldaps://${host}:${tlsPort}`] : [])];
  const child = spawn(SLAPD, ['-d', 'stats', '-f', configFile, '-h', urls.join(' ')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => void (log += chunk.toString()));
  const ended = once(child, 'exit');
  await eventually(
    () => accepts(host, port),
    () => `slapd does not start: ${log}`,
  );
  return { host, port, tlsPort, log: () => log, stop: () => stop(child, ended, folder) };
}

async function stop(child: ChildProcess, ended: Promise<unknown>, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  await ended;
  child.stderr?.destroy();
  rmSync(folder, { recursive: true, force: true });
}

const configuration = (folder: string, { suffix, tls, config = [] }: SlapdOptions): string =>
  [
    ...['core', 'cosine', 'inetorgperson', 'nis'].map((name) => `include ${SCHEMAS}/${name}.schema`),
    `modulepath ${MODULES}`,
    'moduleload back_mdb',
    `pidfile ${folder}/pid`,
    ...(tls
      ? [`TLSCACertificateFile ${tls.authority}`, `TLSCertificateFile ${tls.cert}`, `TLSCertificateKeyFile ${tls.key}`]
      : []),
    'database mdb',
    `suffix "${suffix}"`,
    `directory ${folder}/data`,
    ...config,
    '',
  ].join('\n');

const accepts = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
