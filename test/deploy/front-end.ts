import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { read } from '../architecture/workspace';
import { freePorts } from '../system/system-process';
import { startNginx } from './nginx';

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

/**
 * Runs nginx on the shipped configuration, with only addresses and directories changed.
 * @param ports to listen on, without and with TLS. Default: free ones
 */
export async function startFrontEnd(
  services: ServicePorts,
  listen: 'http' | 'https' = 'http',
  ports?: readonly number[],
): Promise<FrontEnd> {
  const directory = mkdtempSync(join(tmpdir(), 'svc-nginx-'));
  chmodSync(directory, 0o755);
  const [port = 0, tlsPort = 0] = ports ?? (await freePorts(2));
  writeConfiguration(directory, listen, services, { port, tlsPort });
  if (listen === 'https') makeCertificate(directory);
  const nginx = await startNginx(directory, port);
  return {
    port,
    tlsPort,
    log: nginx.log,
    async stop() {
      await nginx.stop();
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
