import { isInRange } from '../../src';

describe('isInRange', () => {
  it.each([
    ['>=3.0.0, <4.0.0', true],
    ['>=3.9.0', true],
    ['> 3.9.0', false],
    ['=3.9.0', true],
    ['<3.5.0', false],
    ['>=2.10.0,<=3.9.0,', true],
    ['>=4.0.0', false],
    ['3.9.0', undefined],
    ['~3', undefined],
    ['', undefined],
  ])('judges %s', (range, expected) => {
    expect(isInRange(range)).toBe(expected);
  });
});
