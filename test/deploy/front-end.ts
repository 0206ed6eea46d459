import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@switchyard/testkit/platform';
import { read } from '../architecture/workspace';
import { freePorts } from '../system/system-process';

export interface FrontEnd {
  /** The ports without and with TLS. */
  readonly port: number;
  readonly tlsPort: number;
  /** Everything it has logged so far. */
  log(): string;
  stop(): Promise<void>;
}

/** The local ports of the services. */
export interface ServicePorts {
  readonly api: number;
  readonly auth: number;
  readonly stream: number;
}

/** Runs nginx on the shipped configuration, with only addresses and directories changed. */
export async function startFrontEnd(services: ServicePorts, listen: 'http' | 'https' = 'http'): Promise<FrontEnd> {
  const directory = mkdtempSync(join(tmpdir(), 'svc-nginx-'));
  chmodSync(directory, 0o755);
  const [port = 0, tlsPort = 0] = await freePorts(2);
  writeConfiguration(directory, listen, services, { port, tlsPort });
  if (listen === 'https') makeCertificate(directory);
  const child = startNginx(directory);
  const ended = once(child, 'exit');
  const log = () => readFileSync(join(directory, 'log'), 'utf8');
  await eventually(
    () => accepts(port),
    () => `nginx does not listen: ${log()}`,
  );
  return {
    port,
    tlsPort,
    log,
    async stop() {
      if (child.exitCode === null) child.kill('SIGTERM');
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function writeConfiguration(
  directory: string,
  listen: 'http' | 'https',
  services: ServicePorts,
  { port, tlsPort }: Pick<FrontEnd, 'port' | 'tlsPort'>,
): void {
  const here = (_: string, name: keyof ServicePorts) => `http://127.0.0.1:${services[name]}`;
  const local = (text: string) =>
    text
      .replace(/http:\/\/(api|auth|stream):91\d\d/g, here)
      .replace('listen 8080', `listen 127.0.0.1:${port}`)
      .replace('listen 8443', `listen 127.0.0.1:${tlsPort}`)
      .replaceAll(' /tmp/', ` ${directory}/tmp/`)
      .replaceAll('/etc/nginx/tls', directory);
  mkdirSync(join(directory, 'tmp'));
  for (const [file, source] of Object.entries({ nginx: 'nginx', 'front-end': 'front-end', listen }))
    writeFileSync(join(directory, `${file}.conf`), local(read(`deploy/nginx/${source}.conf`)));
}

/** Checks the configuration with nginx, then runs nginx. The log goes to a file, since nginx cannot open a pipe by name. */
function startNginx(directory: string): ChildProcess {
  const logFile = join(directory, 'log');
  const log = openSync(logFile, 'a');
  const run = (...more: string[]) => ['-p', directory, '-c', join(directory, 'nginx.conf'), ...more];
  const { status } = spawnSync('nginx', run('-t'), { stdio: ['ignore', log, log] });
  if (status !== 0) throw new Error(`nginx refuses its configuration:\n${readFileSync(logFile, 'utf8')}`);
  const child = spawn('nginx', run('-g', 'daemon off;'), { stdio: ['ignore', log, log] });
  closeSync(log);
  return child;
}

function makeCertificate(directory: string): void {
  const files = ['-keyout', join(directory, 'svc.key'), '-out', join(directory, 'svc.crt')];
  const subject = ['-subj', '/CN=localhost', '-days', '1'];
  const { status, stderr } = spawnSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files],
    {
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`openssl: ${stderr}`);
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

export interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export interface Call {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Sends a request to a local port, with the path exactly as given. */
export async function call(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: Call = {},
): Promise<Reply> {
  const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() };
}
