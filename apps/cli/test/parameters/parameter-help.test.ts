import { parameterHelp } from '../../src/parameters/parameter-help';

test('shows required parameters, then optional ones by position and name, without immutable ones', () => {
  const text = parameterHelp(
    'Does things.',
    {
      z: { type: 'string', position: 0 },
      m: { type: 'boolean', default: true, position: 1 },
      b: { type: ['string', 'null'], enum: ['x', 'y'], description: 'Which one.' },
      a: { default: { k: [1] } },
      sudo: { immutable: true },
      must: { type: 'string', required: true },
    },
    80,
  );
  expect(text).toBe(`Does things.

Required Parameters:
    must
        Type: string

Optional Parameters:
    z
        Type: string

    m
        Type: boolean
        Default: True

    a
        Default: {"k":[1]}

    b
        Which one.
        Type: string or null
        Enum: x, y
`);
});
