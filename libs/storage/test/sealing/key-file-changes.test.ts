import { formatKeyRing, newKeyRing, parseKeyRing } from '../../src';
import { withCurrentKey, withCurrentKeyOnly, withNewKey } from '../../src/sealing/key-file-changes';

const reference = (byte: number) => ({
  hmacKey: { hmacKeyString: Buffer.alloc(32, byte + 1).toString('base64url'), size: 256 },
  aesKeyString: Buffer.alloc(32, byte).toString('base64url'),
  mode: 'CBC',
  size: 256,
});

const own = JSON.parse(formatKeyRing(newKeyRing())) as Record<string, unknown>;

const FORMS: [string, Record<string, unknown>][] = [
  ['ours', own],
  ['ours with keys of the reference', { ...own, reference: [reference(1)], comment: 'kept' }],
  ['the reference’s', reference(7)],
  ['the reference’s with older keys', { ...reference(7), reference: [reference(1)] }],
];

describe.each(FORMS)('a key file in a form of %s', (_, file) => {
  const before = JSON.stringify(file);
  const old = parseKeyRing(before);
  const added = withNewKey(before);
  const used = withCurrentKey(added.json, added.result);

  it('gets a new key that seals nothing yet, and keeps the others', () => {
    const ring = parseKeyRing(added.json);
    expect(ring.current).toBe(old.current);
    expect(Object.keys(ring.keys).sort()).toEqual([...Object.keys(old.keys), added.result].sort());
    expect(ring.keys).toMatchObject(old.keys);
  });

  it('seals with the new key after the switch, and still opens with the others', () => {
    const ring = parseKeyRing(used);
    expect(ring.current).toBe(added.result);
    expect(ring.keys).toEqual(parseKeyRing(added.json).keys);
    expect(withCurrentKey(used, added.result)).toBe(used);
    expect(parseKeyRing(withCurrentKey(used, old.current))).toEqual(parseKeyRing(added.json));
  });

  it('contains only the new key in the end', () => {
    const ring = parseKeyRing(withCurrentKeyOnly(used));
    expect(ring).toEqual({ current: added.result, keys: { [added.result]: parseKeyRing(used).keys[added.result] } });
    expect(withCurrentKeyOnly(used)).not.toContain('reference');
  });

  it('keeps its form and its other members', () => {
    const after = JSON.parse(withCurrentKeyOnly(used)) as Record<string, unknown>;
    const { reference: _older, ...members } = file;
    expect(Object.keys(after).sort()).toEqual(Object.keys(members).sort());
    expect(after['comment']).toBe(file['comment']);
  });

  it('refuses to switch to a key that it does not have', () => {
    expect(() => withCurrentKey(before, 'ffffffff')).toThrow('it does not have the key "ffffffff"');
  });
});

it('the reference finds its key in the same place, with two new secrets', () => {
  const { json, result } = withNewKey(JSON.stringify(reference(7)));
  const after = JSON.parse(withCurrentKey(json, result)) as ReturnType<typeof reference> & { reference: unknown[] };
  expect(Buffer.from(after.aesKeyString, 'base64url')).toHaveLength(32);
  expect(Buffer.from(after.hmacKey.hmacKeyString, 'base64url')).toHaveLength(32);
  expect(after).toMatchObject({ mode: 'CBC', size: 256, hmacKey: { size: 256 } });
  expect(after.reference).toEqual([reference(7)]);
});
