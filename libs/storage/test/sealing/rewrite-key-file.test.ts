import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rewriteKeyFile } from '../../src/sealing/rewrite-key-file';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'svc-rewrite-'));
  path = join(directory, 'keys.json');
  writeFileSync(path, 'old', { mode: 0o600 });
});
afterEach(() => rmSync(directory, { recursive: true }));

const write = (text: string) => rewriteKeyFile(path, (json) => ({ json: text, result: json }));

it('replaces the file as a whole, readable by its owner only', async () => {
  const { ino } = statSync(path);
  expect(await write('new')).toBe('old');
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(path).ino).not.toBe(ino);
  expect(readdirSync(directory)).toEqual(['keys.json']);
});

it('does not write a file whose content stays the same', async () => {
  const { ino } = statSync(path);
  await write('old');
  expect(statSync(path).ino).toBe(ino);
});

it('keeps a link, and the owner of the file', async () => {
  const link = join(directory, 'link.json');
  symlinkSync(path, link);
  await rewriteKeyFile(link, () => ({ json: 'new', result: undefined }));
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe('new');
  const { uid, gid } = statSync(path);
  expect([uid, gid]).toEqual([process.getuid?.(), process.getgid?.()]);
});

it.each([0o640, 0o604, 0o644])('refuses a file that others can read', async (mode) => {
  chmodSync(path, mode);
  const reason = `its mode is ${mode.toString(8)}, expected 600`;
  await expect(write('new')).rejects.toMatchObject({
    code: 'storage.key-file',
    message: expect.stringContaining(reason),
  });
  expect(readFileSync(path, 'utf8')).toBe('old');
});

it('refuses a missing file, and a change that fails, without naming the content', async () => {
  const refused = rewriteKeyFile(join(directory, 'none.json'), () => ({ json: '', result: undefined }));
  await expect(refused).rejects.toMatchObject({
    code: 'storage.key-file',
    message: expect.stringContaining('it does not exist'),
  });
  const failing = rewriteKeyFile(path, () => {
    throw new Error('expected a JSON object');
  });
  await expect(failing).rejects.toThrow(`"${path}" cannot be used: expected a JSON object`);
  expect(readdirSync(directory)).toEqual(['keys.json']);
});
