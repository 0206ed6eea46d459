import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheCompiledCode } from '../src/compile-cache';

const home = tmpdir();

it.each([
  [{ HOME: home }, join(home, '.cache/switchyard/compiled')],
  [{ HOME: home, XDG_CACHE_HOME: '/caches' }, '/caches/switchyard/compiled'],
  [{ HOME: '/not/there', XDG_CACHE_HOME: '/caches' }, '/caches/switchyard/compiled'],
  [{ HOME: home, XDG_CACHE_HOME: '' }, join(home, '.cache/switchyard/compiled')],
])('stores compiled code in the cache of the user: %j', (environment, directory) => {
  const enabled: string[] = [];
  expect(cacheCompiledCode(environment, (given) => enabled.push(given))).toBe(directory);
  expect(enabled).toEqual([directory]);
});

it('creates no home directory for the cache', () => {
  const enabled: string[] = [];
  expect(cacheCompiledCode({ HOME: '/not/there' }, (given) => enabled.push(given))).toBeUndefined();
  expect(enabled).toEqual([]);
});
