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

test('a token belongs to a user of one service, in a file that is private', () => {
  cache().write('me', 't1', inSeconds(60));
  expect(cache().read('me')).toBe('t1');
  expect(cache().read('you')).toBeUndefined();
  expect(cache('http://two').read('me')).toBeUndefined();
  expect(statSync(only()).mode & 0o777).toBe(0o600);
  expect(warnings).toEqual([]);
});

test('a token that is about to expire is not used', () => {
  cache().write('me', 't1', inSeconds(10));
  expect(cache().read('me')).toBeUndefined();
});

test('a user name cannot lead out of the directory', () => {
  cache().write('../../me', 't1', inSeconds(60));
  expect(cache().read('../../me')).toBe('t1');
  expect(readdirSync(join(home, '.svc'))).toHaveLength(1);
});

test('a broken file, or one that others can read, is told about and stops nothing', () => {
  cache().write('me', 't1', inSeconds(60));
  chmodSync(only(), 0o644);
  expect(cache().read('me')).toBe('t1');
  expect(warnings.pop()).toMatch(/chmod 600/);
  writeFileSync(only(), 'broken');
  expect(cache().read('me')).toBeUndefined();
  expect(warnings.pop()).toMatch(/could not be read/);
});

test('a dropped token is gone', () => {
  cache().write('me', 't1', inSeconds(60));
  cache().drop('me');
  expect(cache().read('me')).toBeUndefined();
  expect(warnings).toEqual([]);
});
