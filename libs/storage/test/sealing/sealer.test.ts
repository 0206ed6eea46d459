import { createSealer, newKeyRing, type KeyRing } from '../../src';

const ring = newKeyRing();
const sealer = createSealer(ring);

describe('a sealed text', () => {
  it.each(['', 'secret', 'žluťoučký 🐎 \u0000', 'x'.repeat(100_000)])('is decrypted to the original', (text) => {
    expect(sealer.open(sealer.seal(text))).toBe(text);
  });

  it('differs each time, and does not reveal the text', () => {
    const one = sealer.seal('secret');
    expect(one).not.toBe(sealer.seal('secret'));
    expect(Buffer.from(one, 'latin1').includes('secret')).toBe(false);
    expect(one.split('.').slice(0, 2)).toEqual(['v1', ring.current]);
  });

  const parts = () => sealer.seal('secret').split('.');
  const flip = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);

  it.each<[string, (parts: string[]) => string[]]>([
    ['another version', ([, ...rest]) => ['v2', ...rest]],
    ['another key', ([version, , ...rest]) => [version!, 'ffffffff', ...rest]],
    ['another nonce', ([a, b, nonce, ...rest]) => [a!, b!, flip(nonce!), ...rest]],
    ['another tag', ([a, b, c, tag, body]) => [a!, b!, c!, flip(tag!), body!]],
    [
      'a shortened tag',
      ([a, b, c, tag, body]) => [
        a!,
        b!,
        c!,
        Buffer.from(tag!, 'base64url').subarray(0, 4).toString('base64url'),
        body!,
      ],
    ],
    ['another text', ([a, b, c, d, body]) => [a!, b!, c!, d!, flip(body!)]],
    ['a shortened text', ([a, b, c, d, body]) => [a!, b!, c!, d!, body!.slice(0, -2)]],
    ['a missing part', (all) => all.slice(0, 4)],
    ['a further part', (all) => [...all, 'x']],
    ['nothing at all', () => []],
  ])('is rejected with %s', (_, change) => expect(() => sealer.open(change(parts()).join('.'))).toThrow());

  it('survives a key change as long as the old key is kept', () => {
    const next = newKeyRing();
    const both: KeyRing = { current: next.current, keys: { ...ring.keys, ...next.keys } };
    const old = sealer.seal('secret');
    expect(createSealer(both).open(old)).toBe('secret');
    expect(createSealer(both).seal('x').split('.')[1]).toBe(next.current);
    expect(() => createSealer(next).open(old)).toThrow(`the key "${ring.current}", which is not in the key file`);
  });
});
