import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port';

/** An OpenSSH server for the current user, on its own port. */
export interface SshServer {
  readonly port: number;
  /** Its public host keys, as lines of known hosts without a host. */
  readonly hostKeys: readonly string[];
  /** The log of the server. */
  log(): string;
  /** Stops the server; open connections stay open. */
  stop(): Promise<void>;
}

export interface SshServerOptions {
  /** Public keys that may log in. */
  readonly authorized: readonly string[];
  /** Lines of its configuration; the first value of an option applies. */
  readonly config?: readonly string[];
  /** Environment variables of its sessions. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly hostKeyTypes?: readonly ('rsa' | 'ecdsa' | 'ed25519')[];
  /** The port of a server that was stopped, as if its machine had been reinstalled. */
  readonly port?: number;
}

const SSHD = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/usr/bin/sshd'].find((path) => existsSync(path));

/** The program for `startSshServer` that this machine lacks; undefined if it has all. */
export function missingSshServer(): string | undefined {
  if (SSHD === undefined) return 'sshd (package openssh-server)';
  return spawnSync('ssh-keygen', ['-?']).error === undefined ? undefined : 'ssh-keygen (package openssh-client)';
}

/** Starts a server on the addresses 127.0.0.1 and 127.0.0.2, so that one machine can act as two hosts. */
export async function startSshServer(options: SshServerOptions): Promise<SshServer> {
  const folder = mkdtempSync(join(tmpdir(), 'sshd-'));
  const port = options.port ?? (await freePort());
  const keys = (options.hostKeyTypes ?? ['ed25519']).map((type) => makeSshKey(join(folder, type), { type }));
  const configFile = join(folder, 'sshd_config');
  writeFileSync(join(folder, 'authorized_keys'), options.authorized.map((key) => `${key}\n`).join(''));
  // A separate home directory, so that start-up files of the user's shell have no effect.
  const environment = Object.entries({ HOME: folder, ...options.environment });
  const variables = `SetEnv ${environment.map(([name, value]) => `"${name}=${value}"`).join(' ')}`;
  const lines = configLines(folder, port, keys, [...(options.config ?? []), variables]);
  writeFileSync(configFile, lines.join('\n'));
  // The package creates this directory when the machine starts its own server, which may not run.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const child = spawn(SSHD ?? 'sshd', ['-D', '-e', '-f', configFile], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => void (log += chunk.toString()));
  await listening(child.stderr, () => log, once(child, 'exit'));
  return {
    port,
    hostKeys: keys.map(({ publicKey }) => publicKey),
    log: () => log,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill();
        await once(child, 'exit');
      }
      child.stderr.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configLines(folder: string, port: number, keys: readonly { path: string }[], further: readonly string[]) {
  return [
    ...further,
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    'ListenAddress 127.0.0.2',
    ...keys.map(({ path }) => `HostKey ${path}`),
    `AuthorizedKeysFile ${join(folder, 'authorized_keys')}`,
    `PidFile ${join(folder, 'pid')}`,
    'StrictModes no',
    'UsePAM no',
    'PermitRootLogin yes',
    'PasswordAuthentication no',
    'Subsystem sftp internal-sftp',
    '',
  ];
}

async function listening(output: NodeJS.ReadableStream, log: () => string, ended: Promise<unknown>): Promise<void> {
  const ready = new Promise<void>((resolve, reject) => {
    output.on('data', () => {
      if (/Bind to port/.test(log())) reject(new Error(`sshd: ${log()}`));
      if ((log().match(/Server listening on/g) ?? []).length > 1) resolve();
    });
  });
  const failed = ended.then(() => Promise.reject(new Error(`sshd ended: ${log()}`)));
  failed.catch(() => undefined);
  await Promise.race([ready, failed]);
}

export interface SshKeyOptions {
  readonly type?: 'rsa' | 'ecdsa' | 'ed25519';
  readonly passphrase?: string;
  /** `PEM` is the format of older programs. */
  readonly format?: 'RFC4716' | 'PEM' | 'PKCS8';
}

/** Small keys, which are generated quickly. */
const SIZE = { rsa: ['-b', '2048'], ecdsa: [], ed25519: [] };

/** Writes a private key to a new file, with its public key beside it. */
export function makeSshKey(path: string, { type = 'ed25519', passphrase = '', format }: SshKeyOptions = {}) {
  const inFormat = format === undefined ? [] : ['-m', format];
  const made = spawnSync('ssh-keygen', [
    '-q',
    '-t',
    type,
    ...SIZE[type],
    ...inFormat,
    '-N',
    passphrase,
    '-C',
    'test',
    '-f',
    path,
  ]);
  if (made.status !== 0) throw new Error(`ssh-keygen: ${made.stderr.toString()}`);
  return { path, text: readFileSync(path, 'utf8'), publicKey: readFileSync(`${path}.pub`, 'utf8').trim() };
}
