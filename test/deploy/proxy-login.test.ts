import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificateAuthority, type CertificateAuthority, type KeyPair } from '@switchyard/testkit/certificates';
import { madeAuthService } from '../../services/auth/test/made-auth-service';
import { freePorts } from '../system/system-process';
import { hasProgram } from './deployment-files';
import { call, type Call } from './front-end';
import { startNginx, type Nginx } from './nginx';

const described = hasProgram('nginx', 'logins through nginx are') ? describe : describe.skip;

interface Ports {
  readonly service: number;
  readonly basic: number;
  readonly overSocket: number;
  readonly certificates: number;
}

/** The examples of docs/authentication.md. */
const configuration = (directory: string, socket: string, ports: Ports) => `
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${directory}/nginx.pid;
error_log stderr error;
events {}
http {
    access_log off;
    client_body_temp_path ${directory}/body;
    proxy_temp_path ${directory}/proxy;
    fastcgi_temp_path ${directory}/fastcgi;
    scgi_temp_path ${directory}/scgi;
    uwsgi_temp_path ${directory}/uwsgi;

    map $ssl_client_s_dn $client_name {
        default "";
        "~(?:^|,)CN=(?<name>[^,]+)" $name;
    }

    server {
        listen 127.0.0.1:${ports.basic};
        location /auth/ {
            auth_basic "Automation";
            auth_basic_user_file ${directory}/htpasswd;
            proxy_set_header X-Forwarded-User $remote_user;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_pass http://127.0.0.1:${ports.service}/;
        }
    }

    server {
        listen 127.0.0.1:${ports.overSocket};
        location /auth/ {
            auth_basic "Automation";
            auth_basic_user_file ${directory}/htpasswd;
            proxy_set_header X-Forwarded-User $remote_user;
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_pass http://unix:${socket}:/;
        }
    }

    server {
        listen 127.0.0.1:${ports.certificates} ssl;
        ssl_certificate ${directory}/front.crt;
        ssl_certificate_key ${directory}/front.key;
        ssl_client_certificate ${directory}/test-ca.crt;
        ssl_verify_client on;
        location /auth/ {
            proxy_set_header X-Forwarded-User $client_name;
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_pass http://127.0.0.1:${ports.service}/;
        }
    }
}
`;

described('a login through nginx', () => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-proxy-login-'));
  chmodSync(directory, 0o755);
  const socket = join(directory, 'auth.sock');
  const auth = madeAuthService({ mode: 'proxy', trusted_proxies: '127.0.0.1', proxy_socket: socket });
  let authority: CertificateAuthority;
  let nginx: Nginx;
  let ports: Ports;

  beforeAll(async () => {
    await auth.service.start();
    const [basic = 0, overSocket = 0, certificates = 0] = await freePorts(3);
    ports = { service: auth.service.address().port, basic, overSocket, certificates };
    authority = certificateAuthority(directory);
    authority.issue('front');
    const hash = createHash('sha1').update('secret').digest('base64');
    writeFileSync(join(directory, 'htpasswd'), `ada:{SHA}${hash}\n`);
    writeFileSync(join(directory, 'nginx.conf'), configuration(directory, socket, ports));
    nginx = await startNginx(directory, basic);
  });
  afterAll(async () => {
    await nginx?.stop();
    await auth.service.stop();
    rmSync(directory, { recursive: true });
  });

  const credentials = (user: string, password: string) =>
    `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const logIn = async (port: number, headers: Call['headers'] = {}) => {
    const { status, text } = await call(port, '/auth/v1/tokens', { method: 'POST', headers });
    return { status, user: status === 201 ? JSON.parse(text).user : undefined };
  };

  it.each(['basic', 'overSocket'] as const)('with a password that nginx checks (%s)', async (server) => {
    const port = ports[server];
    const right = { authorization: credentials('ada', 'secret') };
    expect(await logIn(port, right)).toEqual({ status: 201, user: 'ada' });
    expect(await logIn(port, { ...right, 'x-forwarded-user': 'eve' })).toEqual({ status: 201, user: 'ada' });
    expect((await logIn(port, { authorization: credentials('ada', 'wrong') })).status).toBe(401);
    expect((await logIn(port, { 'x-forwarded-user': 'eve' })).status).toBe(401);
  });

  it('records the address that nginx has seen, not the one that the client claims', async () => {
    await logIn(ports.basic, {
      authorization: credentials('ada', 'secret'),
      'x-forwarded-for': '192.0.2.1, not an address',
    });
    expect(auth.audited().at(-1)).toMatchObject({ message: 'Token issued.', address: '127.0.0.1' });
  });

  /** @returns the status, and the user who got a token */
  async function withCertificate(client: KeyPair | undefined, headers: Record<string, string> = {}) {
    const sent = requestSecurely({
      host: '127.0.0.1',
      port: ports.certificates,
      path: '/auth/v1/tokens',
      method: 'POST',
      ca: readFileSync(authority.cert),
      ...(client && { cert: readFileSync(client.cert), key: readFileSync(client.key) }),
      headers,
      agent: false,
    });
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    return { status: answer.statusCode, user: answer.statusCode === 201 ? JSON.parse(text).user : undefined };
  }

  it('with a client certificate that nginx checks', async () => {
    const grace = authority.issue('grace');
    expect(await withCertificate(grace)).toEqual({ status: 201, user: 'grace' });
    const forged = { 'x-forwarded-user': 'eve', authorization: credentials('eve', 'x') };
    expect(await withCertificate(grace, forged)).toEqual({ status: 201, user: 'grace' });
    expect((await withCertificate(undefined, forged)).status).toBe(400);
    const foreign = certificateAuthority(directory, 'other-ca').issue('mallory');
    expect((await withCertificate(foreign, forged)).status).toBe(400);
  });
});
