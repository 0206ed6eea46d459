import { request } from 'node:http';
import { loadConfig, type ConfigOverrides } from '@switchyard/config';
import { serverSettings, type Route } from '@switchyard/http';
import { listening, sampleApp } from '../sample-app';

const requester = { user: 'stanley', method: 'none', location: 'none', isAdmin: true } as const;
const write = (method: Route['method'], path: string, body: Route['body'] = 'any'): Route => ({
  method,
  path,
  operation: `${method} ${path}`,
  summary: '',
  ...(body === undefined ? {} : { body }),
  handle: () => ({ status: 201 }),
});

const routes: Route[] = [
  { ...write('GET', '/things'), handle: () => ({ status: 200 }) },
  write('POST', '/things'),
  write('PUT', '/things'),
  write('DELETE', '/things'),
  write('POST', '/text', 'text'),
];

interface Sent {
  method?: string;
  path?: string;
  headers: Record<string, string>;
}

/** Sends a request with the given headers only. */
async function answerTo({ method = 'POST', path = '/things', headers }: Sent, overrides: ConfigOverrides = {}) {
  const { config } = loadConfig({ environment: {}, overrides: { auth: { enable: false }, ...overrides } });
  const { app } = sampleApp(routes, {
    settings: serverSettings(config),
    authenticate: () => Promise.resolve({ requester }),
  });
  let result = { status: 0, faultstring: '' };
  await listening(app, async (port) => {
    result = await new Promise((resolve, reject) => {
      const sent = request({ port, method, path, headers: { host: `127.0.0.1:${port}`, ...headers } }, (answer) => {
        let body = '';
        answer.on('data', (part) => (body += String(part)));
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            faultstring: String((JSON.parse(body || '{}') as { faultstring?: string }).faultstring ?? ''),
          }),
        );
      });
      sent.on('error', reject);
      sent.end(method === 'POST' || method === 'PUT' ? '{}' : undefined);
    });
  });
  return result;
}

const json = { 'content-type': 'application/json; charset=utf-8' };

describe('without authentication a request', () => {
  it.each<Sent>([
    { headers: json },
    { method: 'PUT', headers: json },
    { method: 'DELETE', headers: {} },
    { method: 'DELETE', headers: json },
    { method: 'GET', headers: {} },
    { path: '/text', headers: { 'content-type': 'text/plain' } },
    { headers: { ...json, origin: 'http://127.0.0.1:3000' } },
    { headers: { ...json, host: 'localhost:9101' } },
    { headers: { ...json, host: 'LOCALHOST.' } },
    { headers: { ...json, host: '[::1]:9101' } },
    { headers: { ...json, host: 'front.example:8080', origin: 'https://front.example:8080' } },
    { headers: { ...json, host: 'automation.lan' } },
    { headers: { ...json, origin: 'https://console.example' } },
  ])('from a known caller is served: %j', async (sent) => {
    const { status } = await answerTo(sent, {
      api: { allowed_hosts: 'automation.lan', allow_origin: 'https://console.example' },
      auth: { enable: false, api_url: 'https://front.example/api' },
    });
    expect(status).toBeLessThan(300);
  });

  it.each<[Sent, string, string]>([
    [{ headers: {} }, 'Content-Type', 'auth.enable'],
    [{ headers: { 'content-type': 'text/plain' } }, 'Content-Type', 'auth.enable'],
    [{ headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 'Content-Type', 'auth.enable'],
    [{ method: 'PUT', headers: {} }, 'Content-Type', 'auth.enable'],
    [{ method: 'DELETE', headers: { 'content-type': 'text/plain' } }, 'Content-Type', 'auth.enable'],
    [{ headers: { ...json, host: 'evil.example' } }, 'Host', 'api.allowed_hosts'],
    [{ headers: { ...json, host: 'evil.example', origin: 'http://evil.example' } }, 'Host', 'api.allowed_hosts'],
    [{ method: 'GET', headers: { host: 'localhost.evil.example' } }, 'Host', 'api.allowed_hosts'],
    [{ headers: { ...json, host: '127.0.0.1@evil.example' } }, 'Host', 'api.allowed_hosts'],
    [{ headers: { ...json, host: '10.1.2.3' } }, 'Host', 'api.allowed_hosts'],
    [{ headers: { ...json, origin: 'https://evil.example' } }, 'Origin', 'api.allow_origin'],
    [{ headers: { ...json, origin: 'http://127.0.0.1:4444' } }, 'Origin', 'api.allow_origin'],
    [{ headers: { ...json, origin: 'null' } }, 'Origin', 'api.allow_origin'],
    [{ method: 'GET', headers: { origin: 'https://evil.example' } }, 'Origin', 'api.allow_origin'],
    [{ path: '/text', headers: { origin: 'https://evil.example' } }, 'Origin', 'api.allow_origin'],
  ])('that a website could have sent is rejected: %j', async (sent, header, option) => {
    const { status, faultstring } = await answerTo(sent, { api: { allow_origin: '*' } });
    expect([status, faultstring]).toEqual([403, expect.stringContaining(`The header ${header} `)]);
    expect(faultstring).toContain(option);
  });

  it('is not checked this way if credentials are required', async () => {
    const sent = { headers: { host: 'evil.example', origin: 'https://evil.example' } };
    expect((await answerTo(sent, { auth: { enable: true } })).status).toBe(201);
  });
});
