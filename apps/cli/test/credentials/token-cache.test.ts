import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tokenCache } from '../../src/credentials/token-cache';

let home: string;
let warnings: string[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cache-'));
  warnings = [];
});
afterEach(() => rmSync(home, { recursive: true }));
const cache = (url = 'http://one') => tokenCache(home, url, (text) => warnings.push(text));
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);
const only = () => join(home, '.svc', readdirSync(join(home, '.svc'))[0] ?? '');

test('stores a token by user and service, in a private file', () => {
  cache().write('me', 't1', inSeconds(60));
  expect(cache().read('me')).toBe('t1');
  expect(cache().read('you')).toBeUndefined();
  expect(cache('http://two').read('me')).toBeUndefined();
  expect(statSync(only()).mode & 0o777).toBe(0o600);
  expect(warnings).toEqual([]);
});

test('ignores a token that is about to expire', () => {
  cache().write('me', 't1', inSeconds(10));
  expect(cache().read('me')).toBeUndefined();
});

test('a user name cannot escape the directory', () => {
  cache().write('../../me', 't1', inSeconds(60));
  expect(cache().read('../../me')).toBe('t1');
  expect(readdirSync(join(home, '.svc'))).toHaveLength(1);
});

test('warns about a broken file or one that others can read, and continues', () => {
  cache().write('me', 't1', inSeconds(60));
  chmodSync(only(), 0o644);
  expect(cache().read('me')).toBe('t1');
  expect(warnings.pop()).toMatch(/chmod 600/);
  writeFileSync(only(), 'broken');
  expect(cache().read('me')).toBeUndefined();
  expect(warnings.pop()).toMatch(/could not be read/);
});

test('forgets a dropped token', () => {
  cache().write('me', 't1', inSeconds(60));
  cache().drop('me');
  expect(cache().read('me')).toBeUndefined();
  expect(warnings).toEqual([]);
});
