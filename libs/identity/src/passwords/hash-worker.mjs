// Runs in a worker thread: password hashes are slow on purpose and would block every other request.
// Plain JavaScript, because both the sources (in tests) and the build load it as a file; an ES module, because one of its
// libraries is one.
import { timingSafeEqual } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import apacheMd5 from 'apache-md5';
import { compareSync, hashSync } from 'bcryptjs';
import { encrypt } from 'unixcrypt';

/**
 * @param {string} computed
 * @param {string} stored
 */
const same = (computed, stored) => {
  const [a, b] = [Buffer.from(computed), Buffer.from(stored)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** @type {Record<string, (password: string, hash: string) => boolean>} */
const checks = {
  bcrypt: compareSync,
  'apache-md5': (password, hash) => same(apacheMd5(password, hash), hash),
  'sha256-crypt': (password, hash) => same(encrypt(password, hash.slice(0, hash.lastIndexOf('$'))), hash),
  'sha512-crypt': (password, hash) => same(encrypt(password, hash.slice(0, hash.lastIndexOf('$'))), hash),
};

parentPort?.on('message', ({ id, kind, password, hash, rounds }) => {
  try {
    const result = rounds === undefined ? checks[kind]?.(password, hash) === true : hashSync(password, rounds);
    parentPort?.postMessage({ id, result });
  } catch (error) {
    parentPort?.postMessage({ id, error: String(error) });
  }
});
