import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSealer, formatKeyRing, loadKeyRing, newKeyRing, parseKeyRing } from '../../src';

let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'svc-keys-'))));
afterEach(() => rmSync(directory, { recursive: true }));

describe('the key file', () => {
  it('is created if missing, readable by its owner only', async () => {
    const path = join(directory, 'keys', 'record_keys.json');
    const ring = await loadKeyRing(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(directory, 'keys')).mode & 0o777).toBe(0o700);
    expect(await loadKeyRing(path)).toEqual(ring);
    expect(parseKeyRing(formatKeyRing(ring))).toEqual(ring);
  });

  it('is the same for processes that start together, which leave nothing else behind', async () => {
    const path = join(directory, 'keys.json');
    const rings = await Promise.all(Array.from({ length: 20 }, () => loadKeyRing(path)));
    expect(new Set(rings.map(({ current }) => current)).size).toBe(1);
    expect(readdirSync(directory)).toEqual(['keys.json']);
  });

  it('may be a key file of the reference', async () => {
    const path = join(directory, 'datastore_key.json');
    const aesKeyString = Buffer.alloc(32, 7).toString('base64url');
    writeFileSync(
      path,
      JSON.stringify({ aesKeyString, hmacKey: { hmacKeyString: 'x', size: 256 }, mode: 'CBC', size: 256 }),
    );
    const sealed = createSealer(await loadKeyRing(path)).seal('secret');
    expect(createSealer(await loadKeyRing(path)).open(sealed)).toBe('secret');
  });

  const { keys } = newKeyRing();
  const [[id, key] = ['', Buffer.alloc(0)]] = Object.entries(keys);
  const text = key.toString('base64');

  it.each<[string, string, RegExp]>([
    ['empty', '', /expected a JSON object/],
    ['no JSON', text, /expected a JSON object/],
    ['a list', '[]', /expected a JSON object/],
    ['without keys', '{"current":"x"}', /expected an object with "current" and "keys"/],
    ['with a short key', JSON.stringify({ current: id, keys: { [id]: text.slice(8) } }), /has 26 bytes, expected 32/],
    ['without its current key', JSON.stringify({ current: 'other', keys: { [id]: text } }), /names the key "other"/],
  ])('that is %s is rejected with its path and without a key', async (_, content, reason) => {
    const path = join(directory, 'keys.json');
    writeFileSync(path, content);
    const refused: unknown = await loadKeyRing(path).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'storage.key-file', message: expect.stringMatching(reason) });
    expect((refused as Error).message).toContain(path);
    expect((refused as Error).message).not.toContain(text.slice(8, 20));
    expect(readFileSync(path, 'utf8')).toBe(content);
  });

  it.each([
    ['a directory', () => directory],
    ['below a file', () => join(directory, 'file', 'keys.json')],
  ])('that is %s is rejected', async (_, path) => {
    writeFileSync(join(directory, 'file'), '');
    await expect(loadKeyRing(path())).rejects.toMatchObject({ code: 'storage.key-file' });
  });
});
