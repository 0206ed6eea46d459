import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { fault, messageOf, SECOND_MS } from '@switchyard/base';
import { basic, decoded } from '../../http-request/header-fields';
import type { WinrmTarget } from '../winrm-parameters';

export type SocketRoute = Pick<WinrmTarget, 'url' | 'proxy' | 'tls'>;

const CONNECT_MS = 30 * SECOND_MS;

/** Connects to a host, through a proxy's tunnel if there is one, with TLS for https URLs. */
export async function openSocket(route: SocketRoute, signal: AbortSignal): Promise<Socket> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]);
  const plain = await (route.proxy === undefined ? direct(route.url, limit) : tunnel(route.proxy, route.url, limit));
  return route.url.protocol === 'https:' ? encrypted(plain, route, limit) : plain;
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

async function direct(url: URL, signal: AbortSignal): Promise<Socket> {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  return whenReady(connect({ host: hostOf(url), port, noDelay: true }), 'connect', signal);
}

function encrypted(socket: Socket, { url, tls }: SocketRoute, signal: AbortSignal): Promise<Socket> {
  const host = hostOf(url);
  // Servers choose certificates by host name, so an address is not sent.
  const secured = tlsConnect({ socket, host, ...(isIP(host) === 0 && { servername: host }), ...tls });
  return whenReady(secured, 'secureConnect', signal);
}

async function whenReady<S extends Socket>(socket: S, event: string, signal: AbortSignal): Promise<S> {
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (thrown) {
    socket.on('error', () => undefined).destroy();
    throw signal.aborted ? signal.reason : thrown;
  }
}

async function tunnel(proxy: URL, url: URL, signal: AbortSignal): Promise<Socket> {
  const authority = `${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`;
  const { username, password } = proxy;
  const credentials = username === '' ? {} : { 'Proxy-Authorization': basic(decoded(username), decoded(password)) };
  const request = (proxy.protocol === 'https:' ? httpsRequest : httpRequest)({
    host: hostOf(proxy),
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    method: 'CONNECT',
    path: authority,
    headers: { Host: authority, ...credentials },
    agent: false,
    signal,
  });
  const refused = (reason: string) => fault('winrm.proxy', { proxy: proxy.origin, host: url.host, reason });
  return new Promise((resolve, reject) => {
    request.on('error', (thrown) => reject(signal.aborted ? (signal.reason as Error) : refused(messageOf(thrown))));
    request.on('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(refused(`it responded with ${statusCode}`));
    });
    request.on('response', (response) => {
      response.destroy();
      reject(refused(`it responded with ${response.statusCode}`));
    });
    request.end();
  });
}
