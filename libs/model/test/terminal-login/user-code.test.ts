import { challengeOf, readUserCode, userCodeOf } from '../../src';

describe('a user code', () => {
  it('is derived from a secret, and reveals nothing about it', () => {
    const codes = ['one', 'other'].map((verifier) => userCodeOf(challengeOf(verifier)));
    expect(codes).toEqual(codes.map(() => expect.stringMatching(/^([0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}$/)));
    expect(codes[0]).not.toBe(codes[1]);
    expect(userCodeOf(challengeOf('one'))).toBe(codes[0]);
  });

  it.each([
    ['7WGC-K2PD-09XM', '7WGC-K2PD-09XM'],
    ['7wgc k2pd 09xm', '7WGC-K2PD-09XM'],
    ['7wgck2pdO9xm', '7WGC-K2PD-09XM'],
    ['IL11-0000-0000', '1111-0000-0000'],
    ['7WGC-K2PD-09X', undefined],
    ['7WGC-K2PD-09XU', undefined],
    ['7WGC-K2PD-09XMM', undefined],
    ['', undefined],
  ])('is read from %j as %j', (typed, code) => {
    expect(readUserCode(typed)).toBe(code);
  });
});
