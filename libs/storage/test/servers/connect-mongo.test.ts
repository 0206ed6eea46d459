import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { deferred } from '@switchyard/base';
import { loadConfig, type ConfigOverrides } from '@switchyard/config';
import mongoose from 'mongoose';
import { connectMongo } from '../../src';

const { BSON } = mongoose.mongo;

/** Long enough for a handshake on a busy machine; a responding server is faster. */
const TIMEOUT_MS = 30_000;

const databaseOptions = (port: number, database: ConfigOverrides['database']) =>
  loadConfig({
    environment: {},
    overrides: { database: { port, connection_timeout: TIMEOUT_MS, ...database } },
  }).config.database;

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) {
    server.close();
    await once(server, 'close');
  }
});

async function listening(server: Server): Promise<number> {
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

type Hello = Record<string, unknown>;

const HEADER_BYTES = 16;

/** The document of an OP_QUERY message. The header is followed by flags, a name and two numbers. */
function queryOf(message: Buffer): Hello {
  const name = message.indexOf(0, HEADER_BYTES + 4);
  return BSON.deserialize(message.subarray(name + 1 + 8));
}

/** An OP_REPLY message with one document. */
function replyTo(message: Buffer, document: object): Buffer {
  const body = Buffer.from(BSON.serialize(document));
  const head = Buffer.alloc(HEADER_BYTES + 20);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(message.readInt32LE(4), 8);
  head.writeInt32LE(1, 12);
  head.writeInt32LE(1, HEADER_BYTES + 16);
  return Buffer.concat([head, body]);
}

const GREETING = {
  ok: 1,
  ismaster: true,
  isWritablePrimary: true,
  helloOk: true,
  minWireVersion: 0,
  maxWireVersion: 25,
};

/** A server that greets like MongoDB and then disconnects. @returns the greetings of the first login */
async function greeted(database: ConfigOverrides['database']): Promise<Hello> {
  const login = deferred<Hello>();
  const server = createServer((socket) => {
    socket.once('data', (message: Buffer) => {
      const hello = queryOf(message);
      if ('speculativeAuthenticate' in hello) {
        login.resolve(hello);
        socket.destroy();
      }
      socket.write(replyTo(message, GREETING));
    });
  });
  const connecting = connectMongo(databaseOptions(await listening(server), database));
  const [hello] = await Promise.all([login.promise, expect(connecting).rejects.toThrow()]);
  return hello;
}

describe('connecting to MongoDB', () => {
  const user = { username: 'ada', password: 'word' };

  it.each(['SCRAM-SHA-1', 'SCRAM-SHA-256'])('logs in by %s if configured', async (mechanism) => {
    const hello = await greeted({ ...user, authentication_mechanism: mechanism });
    expect(hello).toMatchObject({ speculativeAuthenticate: { mechanism }, compression: ['none'] });
  });

  it('offers the configured compression', async () => {
    const hello = await greeted({ ...user, compressors: 'zlib', zlib_compression_level: 9 });
    expect(hello['compression']).toEqual(['zlib']);
  });

  it('does not offer an unavailable compression', async () => {
    expect((await greeted({ ...user, compressors: 'zstd' }))['compression']).toEqual(['none']);
  });
});

describe('connecting to MongoDB over TLS', () => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-mongo-tls-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  const file = (name: string) => join(directory, name);

  const make = (name: string, host: string) =>
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
        ...['-keyout', file(`${name}.key`), '-out', file(`${name}.crt`), '-subj', `/CN=${name}`],
        ...['-addext', `subjectAltName=${host}`],
      ],
      { stdio: 'ignore' },
    );
  beforeAll(() => {
    make('server', 'IP:127.0.0.1');
    make('elsewhere', 'DNS:elsewhere.example');
    make('client', 'DNS:client');
  });

  /** A refused connection is retried until this time is over. */
  const REFUSED_MS = 500;

  /** The name in the client's certificate once connected, or that the client did not trust the server. */
  async function met(name: string, database: ConfigOverrides['database'], timeoutMs: number): Promise<string> {
    let client: unknown;
    const server = createTlsServer(
      {
        cert: readFileSync(file(`${name}.crt`)),
        key: readFileSync(file(`${name}.key`)),
        requestCert: true,
        rejectUnauthorized: false,
      },
      (socket: TLSSocket) => {
        client = socket.getPeerCertificate().subject?.CN ?? null;
        socket.on('error', () => undefined);
        socket.once('data', (message: Buffer) => socket.write(replyTo(message, GREETING)));
      },
    );
    const options = { ...databaseOptions(await listening(server), database), connection_timeout: timeoutMs };
    try {
      await (await connectMongo(options)).close();
    } catch {
      return 'refused';
    }
    return `client ${JSON.stringify(client)}`;
  }

  it.each<[string, string, () => ConfigOverrides['database'], string]>([
    ['an authority turns it on', 'server', () => ({ tls_ca_file: file('server.crt') }), 'client null'],
    ['an unknown server is refused', 'server', () => ({ tls: true }), 'refused'],
    ['ssl_cert_reqs = none accepts any server', 'server', () => ({ tls: true, ssl_cert_reqs: 'none' }), 'client null'],
    [
      'tls_allow_invalid_certificates takes precedence over ssl_cert_reqs',
      'server',
      () => ({ tls: true, ssl_cert_reqs: 'none', tls_allow_invalid_certificates: false }),
      'refused',
    ],
    ['a server of another name is refused', 'elsewhere', () => ({ tls_ca_file: file('elsewhere.crt') }), 'refused'],
    [
      'ssl_match_hostname = false accepts another name',
      'elsewhere',
      () => ({ tls_ca_file: file('elsewhere.crt'), ssl_match_hostname: false }),
      'client null',
    ],
    [
      'ssl_certfile and ssl_keyfile are the certificate of the client',
      'server',
      () => ({
        tls_ca_file: file('server.crt'),
        ssl_certfile: file('client.crt'),
        ssl_keyfile: file('client.key'),
      }),
      'client "client"',
    ],
  ])('%s', async (_, server, database, seen) => {
    expect(await met(server, database(), seen === 'refused' ? REFUSED_MS : TIMEOUT_MS)).toBe(seen);
  });
});
