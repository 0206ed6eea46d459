import { join } from 'node:path';
import { cacheCompiledCode } from '../src/compile-cache';

it.each([
  [{ HOME: '/home/me' }, '/home/me/.cache/switchyard/compiled'],
  [{ HOME: '/home/me', XDG_CACHE_HOME: '/caches' }, '/caches/switchyard/compiled'],
  [{ HOME: '/home/me', XDG_CACHE_HOME: '' }, '/home/me/.cache/switchyard/compiled'],
])('keeps compiled code in the cache of the user: %j', (environment, directory) => {
  const enabled: string[] = [];
  expect(cacheCompiledCode(environment, (given) => enabled.push(given))).toBe(join(directory));
  expect(enabled).toEqual([join(directory)]);
});
