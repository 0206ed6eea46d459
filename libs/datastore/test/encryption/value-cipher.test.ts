import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatKeyRing, newKeyRing, type KeyRing } from '@switchyard/storage';
import { createValueCipher } from '../../src';
import { referenceEncrypt, referenceKeyFile } from '../support/reference-encrypt';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'svc-datastore-'));
  path = join(directory, 'key.json');
});
afterEach(() => rmSync(directory, { recursive: true }));

const cipherOf = (options: { mayCreate?: boolean; enabled?: boolean } = {}) =>
  createValueCipher({ path, mayCreate: false, enabled: true, ...options });

/** Two writes may fall into the same second; the cipher notices the change because the sizes differ. */
const write = (content: unknown) => writeFileSync(path, JSON.stringify(content, null, 2));
const ringFile = ({ current, keys }: KeyRing) =>
  JSON.parse(formatKeyRing({ current, keys })) as Record<string, unknown>;

describe('values', () => {
  it.each(['', 'hush', 'žluť 日本 😀', 'x'.repeat(100_000)])('round-trip unchanged', async (text) => {
    const cipher = cipherOf({ mayCreate: true });
    const sealed = await cipher.encrypt(text, 'a');
    expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\./);
    expect(await cipher.decrypt(sealed, 'a')).toBe(text);
    expect(await cipherOf().decrypt(sealed, 'a')).toBe(text);
  });

  it('encrypted by the reference are decrypted, for all key sizes', async () => {
    for (const bytes of [16, 24, 32]) {
      const file = referenceKeyFile(bytes);
      write(file);
      const hex = referenceEncrypt(file, 'žluť');
      expect(await cipherOf().decrypt(hex, 'a')).toBe('žluť');
      expect(await cipherOf().decrypt(hex.toLowerCase(), 'a')).toBe('žluť');
    }
  });

  it('that are new are sealed in the format of this product, even with a key file of the reference', async () => {
    write(referenceKeyFile());
    const sealed = await cipherOf().encrypt('new', 'a');
    expect(sealed).toMatch(/^v1\./);
    expect(await cipherOf().decrypt(sealed, 'a')).toBe('new');
  });

  it('that were tampered with are refused', async () => {
    const file = referenceKeyFile();
    write(file);
    const cipher = cipherOf();
    const values = [referenceEncrypt(file, 'hush'), await cipher.encrypt('hush', 'a')];
    for (const value of values) {
      for (let at = 0; at < value.length; at += 7) {
        const other = value[at] === 'A' ? 'B' : 'A';
        const changed = value.slice(0, at) + other + value.slice(at + 1);
        await expect(cipher.decrypt(changed, 'a')).rejects.toMatchObject({ code: 'datastore.cannot-decrypt' });
      }
    }
  });

  it.each([
    ['', /known format/],
    ['plain text', /known format/],
    ['00', /too short/],
    ['00'.repeat(40), /too short/],
    ['00'.repeat(57), /changed, or encrypted with another key/],
    ['v1.abcdef01.AA.AA.AA', /which is not in the key file/],
    ['v2.abcdef01.AA.AA.AA', /known format/],
  ])('that are malformed, such as "%s", are refused', async (value, reason) => {
    write(referenceKeyFile());
    await expect(cipherOf().decrypt(value, 'mine')).rejects.toMatchObject({
      code: 'datastore.cannot-decrypt',
      message: expect.stringMatching(reason),
    });
  });
});

describe('the key file', () => {
  it('is created when the first value is encrypted, if allowed', async () => {
    const cipher = cipherOf({ mayCreate: true });
    await expect(cipher.decrypt('v1.a.b.c.d', 'a')).rejects.toMatchObject({ code: 'datastore.no-key' });
    expect(() => statSync(path)).toThrow();
    await Promise.all([cipher.encrypt('one', 'a'), cipherOf({ mayCreate: true }).encrypt('two', 'b')]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is not created at a path that an operator configured', async () => {
    await expect(cipherOf().encrypt('text', 'mine')).rejects.toMatchObject({
      code: 'datastore.no-key',
      status: 400,
      message: `Crypto key not found in ${path}. Unable to encrypt / decrypt value for key mine.`,
    });
  });

  it('is not read while encryption is off', async () => {
    const cipher = cipherOf({ mayCreate: true, enabled: false });
    await expect(cipher.encrypt('text', 'mine')).rejects.toMatchObject({ code: 'datastore.encryption-off' });
    await expect(cipher.decrypt('text', 'mine')).rejects.toMatchObject({ code: 'datastore.encryption-off' });
  });

  it('may gain keys at run time: the current key encrypts, all keys decrypt', async () => {
    const [first, second] = [newKeyRing(), newKeyRing()];
    write(ringFile(first));
    const cipher = cipherOf();
    const older = await cipher.encrypt('older', 'a');
    write(ringFile({ current: second.current, keys: { ...first.keys, ...second.keys } }));
    const newer = await cipher.encrypt('newer', 'a');
    expect(newer).toContain(second.current);
    expect([await cipher.decrypt(older, 'a'), await cipher.decrypt(newer, 'a')]).toEqual(['older', 'newer']);
    write({ ...ringFile(second), comment: 'without the first' });
    await expect(cipher.decrypt(older, 'a')).rejects.toThrow(`"${first.current}", which is not in the key file`);
  });

  it('may include keys of the reference', async () => {
    const [oldest, old] = [referenceKeyFile(16), referenceKeyFile()];
    write(old);
    const sealed = await cipherOf().encrypt('sealed with the old key', 'a');
    const ring = newKeyRing();
    write({ ...ringFile(ring), reference: [oldest, old] });
    const cipher = cipherOf();
    expect(await cipher.encrypt('new', 'a')).toContain(ring.current);
    expect(await cipher.decrypt(referenceEncrypt(oldest, 'one'), 'a')).toBe('one');
    expect(await cipher.decrypt(referenceEncrypt(old, 'two'), 'a')).toBe('two');
    expect(await cipher.decrypt(sealed, 'a')).toBe('sealed with the old key');
    write(ringFile(ring));
    await expect(cipher.decrypt(referenceEncrypt(old, 'two'), 'a')).rejects.toThrow(
      'the key file has no StackStorm key',
    );
  });

  const ring = ringFile(newKeyRing());
  it.each<[string, unknown]>([
    ['a list', []],
    ['empty', {}],
    ['without its current key', { ...ring, current: 'other' }],
    ['of the reference in another mode', { ...referenceKeyFile(), mode: 'GCM' }],
    ['of the reference with a short key', { ...referenceKeyFile(), aesKeyString: 'AAAA' }],
    ['of the reference without the second key', { ...referenceKeyFile(), hmacKey: undefined }],
    ['with older keys that are not a list', { ...ring, reference: referenceKeyFile() }],
    ['with an invalid older key', { ...ring, reference: [{}] }],
  ])('that is %s is refused; the error names the path and shows no key', async (_, content) => {
    write(content);
    const refused: unknown = await cipherOf({ mayCreate: true })
      .encrypt('text', 'a')
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'storage.key-file', message: expect.stringContaining(path) });
    for (const key of readFileSync(path, 'utf8').match(/[\w+/=-]{30,}/g) ?? [])
      expect((refused as Error).message).not.toContain(key);
  });
});
