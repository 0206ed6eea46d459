import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import request from 'supertest';
import { createHttpApp, indexRoute, serverSettings } from '@switchyard/http';
import { loadConfig } from '@switchyard/config';
import { fault } from '@switchyard/base';
import { consoleSite } from '../../src/console/console-site';

const PAGE = '<!doctype html><script type="module" src="./assets/index-a1.js"></script>';

describe('The files of the web console', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'svc-console-'));
    mkdirSync(join(directory, 'assets'));
    writeFileSync(join(directory, 'index.html'), PAGE);
    writeFileSync(join(directory, 'assets', 'index-a1.js'), 'start()');
    writeFileSync(join(directory, 'assets', 'index-a1.js.gz'), gzipSync('start()'));
    writeFileSync(join(directory, 'secret.txt'), 'not part of the site');
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const log = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };
  const app = (folder = directory) =>
    createHttpApp({
      prefixes: [''],
      routes: [indexRoute({ version: '1', docsUrl: '/docs' })],
      authenticate: () => Promise.reject(fault('auth.no-credentials')),
      logger: log,
      settings: serverSettings(loadConfig({ environment: {} }).config),
      site: consoleSite(folder),
    });
  const open = (path: string, folder?: string) => request(app(folder)).get(path).set('Accept', 'text/html,*/*;q=0.8');

  it('start with a page that is never cached and runs no inline code', async () => {
    const { headers, text } = await open('/').expect(200);
    expect(text).toBe(PAGE);
    expect(headers['content-type']).toBe('text/html; charset=UTF-8');
    expect(headers['cache-control']).toBe('no-cache');
    const policy = headers['content-security-policy']!;
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; /);
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy.match(/script-src [^;]*unsafe/)).toBeNull();
  });

  it('may be cached forever, because their names change with their content', async () => {
    const { headers, text } = await open('/assets/index-a1.js').set('Accept-Encoding', 'identity').expect(200);
    expect(text).toBe('start()');
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers['content-type']).toBe('text/javascript; charset=UTF-8');
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it('are sent compressed to browsers that accept it', async () => {
    const { headers, text } = await open('/assets/index-a1.js').set('Accept-Encoding', 'gzip, br').expect(200);
    expect([headers['content-encoding'], headers['vary'], text]).toEqual(['gzip', 'Accept-Encoding', 'start()']);
  });

  it.each(['/assets/../secret.txt', '/assets/%2e%2e%2fsecret.txt', '/assets/', '/assets/none.js', '/secret.txt'])(
    'do not include %s',
    async (path) => {
      expect((await open(path)).status).toBe(404);
    },
  );

  it('do not replace the version of the API for other clients', async () => {
    await request(app()).get('/').set('Accept', 'application/json').expect(401);
    await request(app()).get('/').expect(401);
  });

  it('are absent if the console is not built', async () => {
    await open('/', join(directory, 'nowhere')).expect(401);
  });
});
