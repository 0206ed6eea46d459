import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:http';
import { fault } from '@switchyard/base';
import type { Authenticate, Identity } from '@switchyard/identity';
import { createHttpApp, type HttpApp, type HttpAppOptions, type ServerSettings, type Route } from '@switchyard/http';

export interface LogLine {
  level: string;
  message: string;
  fields?: unknown;
}

/** A logger that records its lines. */
export function keptLog() {
  const lines: LogLine[] = [];
  const at =
    (level: string) =>
    (message: string, fields?: unknown): void =>
      void lines.push({ level, message, fields });
  return { lines, logger: { info: at('info'), warn: at('warn'), error: at('error'), debug: at('debug') } };
}

export const settings: ServerSettings = {
  allowedOrigins: ['https://console.example'],
  cookie: { secure: true, sameSite: 'lax' },
  maskedParameters: ['pin'],
  maxBodyBytes: 1000,
  data: { maxDepth: 20, maxMembers: 100, maxKeyLength: 30, maxStringLength: 1000 },
  openBodies: { maxBytes: 100_000, maxBytesPerAddress: 100_000 },
  connections: { max: 100, maxPerAddress: 100, requestTimeoutMs: 10_000 },
  heartbeatMs: 20,
  clientAddress: ({ remoteAddress }) => remoteAddress,
};

/** `good` is a token that sets a cookie, `key` an API key that does not. */
export const authenticate: Authenticate = (sources) => {
  const token = sources.header('x-auth-token') ?? sources.query('x-auth-token') ?? sources.cookie('auth-token');
  if (token !== 'good' && token !== 'key') return Promise.reject(fault('auth.no-credentials'));
  const identity: Identity = {
    requester: { user: 'ada', method: 'token', location: 'header', isAdmin: true },
    ...(token === 'good' ? { cookie: { token, maxAgeSeconds: 60 } } : {}),
  };
  return Promise.resolve(identity);
};

export function sampleApp(routes: readonly Route[], options: Partial<HttpAppOptions> = {}) {
  const log = keptLog();
  const app = createHttpApp({
    prefixes: ['', '/v1'],
    routes,
    authenticate,
    logger: log.logger,
    settings,
    checkResponses: true,
    ...options,
  });
  return { app, lines: log.lines };
}

/** Runs `use` with the address of a listening application, and closes everything afterwards. */
export async function listening(app: HttpApp, use: (port: number, server: Server) => Promise<void>): Promise<void> {
  const server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    await use((server.address() as AddressInfo).port, server);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
