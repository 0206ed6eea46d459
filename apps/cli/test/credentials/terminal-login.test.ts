import { createClient } from '@switchyard/client';
import { terminalLogin } from '../../src/credentials/terminal-login';
import { browserCommand } from '../../src/credentials/open-browser';
import { startServer } from '../../../../libs/client/test/support/scripted-server';

it.each([false, true])('a login that nobody finishes in time ends with a message (--device: %s)', async (device) => {
  const server = await startServer();
  server.on('POST /sso/terminal/token', () => ({ status: 404, body: { faultstring: 'Not yet.' } }));
  const client = createClient({ apiUrl: server.url, authUrl: server.url, streamUrl: server.url });
  const terminal = { env: {}, stderr: { write: () => true } as unknown as NodeJS.WriteStream };
  const limit = new AbortController();
  server.on('GET /sso', () => {
    setImmediate(() => limit.abort());
    return { body: { enabled: true, login_url: 'https://auth.example/sso/terminal' } };
  });
  const request = { client, terminal, device, browser: false, ttlSeconds: undefined };
  await expect(terminalLogin(request, limit.signal)).rejects.toThrow('Nobody logged in within 10 minutes.');
  await server.close();
});

it.each<[NodeJS.Platform, Record<string, string>, string[] | undefined]>([
  ['linux', {}, undefined],
  ['linux', { DISPLAY: ':0' }, ['xdg-open']],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, ['xdg-open']],
  ['linux', { BROWSER: 'firefox' }, ['firefox']],
  ['linux', { BROWSER: 'firefox:chromium' }, ['xdg-open']],
  ['darwin', {}, ['open']],
  ['win32', {}, ['rundll32', 'url.dll,FileProtocolHandler']],
])('on %s with %j, the browser is opened with %j', (platform, env, command) => {
  expect(browserCommand(env, platform)).toEqual(command);
});
