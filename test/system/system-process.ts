import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { endsWithUs } from './ends-with-us';

/** The root of the checkout, both from the test sources and from their compiled files. */
export const ROOT = findRoot(__dirname);

function findRoot(directory: string): string {
  return existsSync(join(directory, 'package-lock.json')) ? directory : findRoot(resolve(directory, '..'));
}

/** A whole system in its own process, started as by a user, with its own data directory. */
export interface SystemProcess {
  readonly api: string;
  readonly auth: string;
  readonly stream: string;
  readonly directory: string;
  readonly configFile: string;
  readonly child: ChildProcess;
  /** Everything it has printed so far. */
  output(): string;
  /** Stops it and, by default, removes its data. */
  stop(options?: { signal?: NodeJS.Signals; keepData?: boolean }): Promise<void>;
}

export interface SystemOptions {
  /** The root of the compiled checkout to run. Default: this one. */
  checkout?: string;
  /** A program that takes the arguments of `svc` and has a channel for messages. Default: `svc`. */
  program?: string;
  /** Additional sections for the configuration file. */
  config?: string;
  /** The port of the API. Default: a free one. */
  api?: number;
  /** False to use only the users that a system creates without configuration. */
  users?: false;
  /** Reuse this directory of a stopped system instead of creating one. */
  directory?: string;
  environment?: Record<string, string>;
  /** Directories of packs to install before the start. The default address of the API in them is replaced by the actual one. */
  packs?: readonly string[];
}

/** Copies packs to the place where a system with this directory finds them at its start. */
export function installPacks(directory: string, apiPort: number, packs: readonly string[] = []): void {
  for (const pack of packs) {
    const installed = join(directory, 'packs', basename(pack));
    cpSync(pack, installed, { recursive: true });
    for (const file of readdirSync(installed, { recursive: true, encoding: 'utf8' })) {
      const path = join(installed, file);
      if (!file.endsWith('.yaml') || !statSync(path).isFile()) continue;
      const text = readFileSync(path, 'utf8');
      if (text.includes(USUAL_API)) writeFileSync(path, text.replaceAll(USUAL_API, `127.0.0.1:${apiPort}`));
    }
  }
}

/** The default address of the API. */
export const USUAL_API = '127.0.0.1:9101';

/** The users of the recorded scenarios. */
const USERS = { testu: 'testp', other: 'otherp' };

export const htpasswd = (): string =>
  Object.entries(USERS)
    .map(([user, password]) => `${user}:{SHA}${createHash('sha1').update(password).digest('base64')}\n`)
    .join('');

/** Starts a system and waits until its self-check has passed. */
export async function startSystem(options: SystemOptions = {}): Promise<SystemProcess> {
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'svc-system-'));
  const [free, auth, stream] = await freePorts(3, options.api);
  const api = options.api ?? free;
  const configFile = join(directory, 'svc.conf');
  const passwords = join(directory, 'htpasswd');
  if (options.users !== false) writeFileSync(passwords, htpasswd());
  installPacks(directory, api!, options.packs);
  writeFileSync(
    configFile,
    [
      `[system]\nbase_path = ${directory}`,
      `[api]\nport = ${api}`,
      `[auth]\nport = ${auth}`,
      options.users === false ? '' : `backend = flat_file\nbackend_kwargs = {"file_path": "${passwords}"}`,
      `[stream]\nport = ${stream}`,
      options.config ?? '',
    ].join('\n'),
  );
  const program = options.program ?? join(options.checkout ?? ROOT, 'apps/cli/dist/main.js');
  const child: ChildProcess = spawn(process.execPath, [program, 'up', '--config-file', configFile], {
    env: { ...process.env, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe', ...(options.program === undefined ? [] : (['ipc'] as const))],
  });
  endsWithUs(child);
  let printed = '';
  const collect = (chunk: Buffer) => {
    printed += chunk.toString();
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  await waitUntilReady(child, () => printed);
  return {
    api: `http://127.0.0.1:${api}`,
    auth: `http://127.0.0.1:${auth}`,
    stream: `http://127.0.0.1:${stream}`,
    directory,
    configFile,
    child,
    output: () => printed,
    async stop({ signal = 'SIGTERM', keepData = false } = {}) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal);
        await once(child, 'exit');
      }
      if (!keepData) rmSync(directory, { recursive: true, force: true });
    },
  };
}

const READY = /self-check passed/i;

async function waitUntilReady(child: ChildProcess, printed: () => string): Promise<void> {
  await new Promise<void>((resolvePromise, reject) => {
    const look = () => {
      if (READY.test(printed())) resolvePromise();
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('exit', (code, signal) => reject(new Error(`the system ended (${code ?? signal}):\n${printed()}`)));
  });
}

/** Below the ports that Linux gives to connections and to listeners without a port, so that they are not taken
 * meanwhile. */
const PORTS = { from: 12_000, count: 20_000 };

/** @param except a port that another server is about to use */
export async function freePorts(count: number, except?: number): Promise<number[]> {
  const servers: Server[] = [];
  while (servers.length < count) {
    const port = PORTS.from + Math.floor(Math.random() * PORTS.count);
    if (port === except) continue;
    const server = await listenAt(port);
    if (server) servers.push(server);
  }
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map(async (server) => once(server.close(), 'close')));
  return ports;
}

/** @returns undefined if something listens there */
async function listenAt(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined;
    throw error;
  }
}
