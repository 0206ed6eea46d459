import {
  extractParameterSecrets,
  extractSecrets,
  maskBySchema,
  maskOutput,
  maskParameters,
  MASK,
  restoreSecrets,
  type Schema,
} from '../../src';

const secret = { secret: true };

/** Alternatives that both refer to the whole schema, checked against data with the maximum number of levels. */
it('visits each schema once per value', () => {
  const branch = { properties: { s: secret, a: { $ref: '#' } } };
  const value = JSON.parse(`${'{"a":'.repeat(100)}{"s":1}${'}'.repeat(100)}`) as unknown;
  const { masked, secrets } = extractSecrets(value, { anyOf: [branch, { ...branch }] });
  expect(JSON.stringify(masked)).toContain(`{"s":"${MASK}"}`);
  expect(secrets).toHaveLength(1);
});

describe('masking by schema', () => {
  it.each<[string, Schema, unknown, unknown]>([
    ['a property', { properties: { a: secret } }, { a: 1, b: 2 }, { a: MASK, b: 2 }],
    ['null and an empty text', { properties: { a: secret, b: secret } }, { a: null, b: '' }, { a: MASK, b: MASK }],
    [
      'a whole object',
      { properties: { a: { ...secret, type: 'object', properties: { x: {} } } } },
      { a: { x: 1 } },
      { a: MASK },
    ],
    ['the value itself', secret, [1, 2], MASK],
    [
      'nested properties',
      { properties: { a: { properties: { b: secret } } } },
      { a: { b: 1, c: 2 } },
      { a: { b: MASK, c: 2 } },
    ],
    ['items', { items: { properties: { b: secret } } }, [{ b: 1 }, { c: 1 }], [{ b: MASK }, { c: 1 }]],
    ['listed items', { items: [{}, secret], additionalItems: secret }, [1, 2, 3], [1, MASK, MASK]],
    ['names that fit a pattern', { patternProperties: { '^p': secret } }, { pa: 1, q: 2 }, { pa: MASK, q: 2 }],
    ['other names', { properties: { a: {} }, additionalProperties: secret }, { a: 1, b: 2 }, { a: 1, b: MASK }],
    ['an alternative', { anyOf: [{ type: 'null' }, { properties: { a: secret } }] }, { a: 1 }, { a: MASK }],
    [
      'a reference',
      { definitions: { s: secret }, properties: { a: { $ref: '#/definitions/s' } } },
      { a: 1 },
      { a: MASK },
    ],
    ['names under an unusable pattern', { patternProperties: { '(': secret } }, { a: 1 }, { a: MASK }],
  ])('hides %s', (_, schema, value, masked) => expect(maskBySchema(value, schema)).toEqual(masked));

  it('shares parts without secrets', () => {
    const value = { a: { b: 1 } };
    expect(maskBySchema(value, { properties: { a: { type: 'object' } } })).toBe(value);
  });

  it('terminates for recursive schemas', () => {
    const schema = { properties: { kid: { $ref: '#' }, pin: secret }, anyOf: [{ $ref: '#' }] };
    expect(maskBySchema({ kid: { kid: { pin: 1 } }, pin: 2 }, schema)).toEqual({
      kid: { kid: { pin: MASK } },
      pin: MASK,
    });
  });
});

it('restores the secrets it extracted, at any depth', () => {
  const schema = {
    properties: { a: secret, list: { items: { properties: { pin: secret } } }, deep: { additionalProperties: secret } },
  };
  const value = JSON.parse(
    '{"a":{"x":[1]},"list":[{"pin":1,"n":2},{"n":3},{"pin":null}],"deep":{"__proto__":7,"é":8},"plain":9}',
  ) as unknown;
  const { masked, secrets } = extractSecrets(value, schema);
  expect(JSON.stringify(masked)).not.toMatch(/7|8/);
  expect(secrets.map(({ path }) => path.join('.'))).toEqual([
    'a',
    'list.0.pin',
    'list.2.pin',
    'deep.__proto__',
    'deep.é',
  ]);
  const stored = JSON.parse(JSON.stringify({ masked, secrets })) as { masked: unknown; secrets: typeof secrets };
  expect(JSON.stringify(restoreSecrets(stored.masked, stored.secrets))).toBe(JSON.stringify(value));
});

it('skips paths that no longer exist', () => {
  const secrets = [
    { path: ['a', 0, 'b'], value: 1 },
    { path: ['c'], value: 2 },
    { path: ['l', 5], value: 3 },
  ];
  expect(restoreSecrets({ a: 'text', l: [] }, secrets)).toEqual({ a: 'text', l: [] });
});

describe('parameters', () => {
  const definitions = { s: secret, o: { properties: { pin: secret } }, t: { type: 'string' } };

  it('are masked by their definitions', () => {
    expect(maskParameters({ s: 'x', o: { pin: 1, n: 2 }, t: 'y', u: 1 }, definitions)).toEqual({
      s: MASK,
      o: { pin: MASK, n: 2 },
      t: 'y',
      u: 1,
    });
  });
  it('are masked as a whole when templates copied secrets into them', () => {
    const { masked, secrets } = extractParameterSecrets({ o: { pin: 1 }, t: 'x!' }, definitions, ['t', 'o', 'absent']);
    expect(masked).toEqual({ o: MASK, t: MASK });
    expect(restoreSecrets(masked, secrets)).toEqual({ o: { pin: 1 }, t: 'x!' });
  });
});

describe('results', () => {
  const schema = { type: 'object', properties: { pin: secret } };
  it.each<[string, Schema | undefined, string | undefined, unknown, unknown]>([
    ['under the output key', schema, 'output', { output: { pin: 1 }, pin: 2 }, { output: { pin: MASK }, pin: 2 }],
    ['whole, without a key', schema, undefined, { pin: 1 }, { pin: MASK }],
    ['by the old map of properties', { pin: secret }, 'output', { output: { pin: 1 } }, { output: { pin: MASK } }],
    [
      'by properties without a type',
      { properties: { pin: secret } },
      'output',
      { output: { pin: 1 } },
      { output: { pin: MASK } },
    ],
    [
      'an output that is secret as a whole',
      { type: 'string', secret: true },
      'result',
      { result: 'x', n: 1 },
      { result: MASK, n: 1 },
    ],
    [
      'by a reference',
      { type: 'object', definitions: { s: secret }, properties: { pin: { $ref: '#/definitions/s' } } },
      'output',
      { output: { pin: 1 } },
      { output: { pin: MASK } },
    ],
    ['nothing without a schema', undefined, 'output', { output: { pin: 1 } }, { output: { pin: 1 } }],
    ['nothing in a result of another shape', schema, 'output', 'text', 'text'],
  ])('are masked: %s', (_, outputSchema, key, result, masked) =>
    expect(maskOutput(result, outputSchema, key)).toEqual(masked),
  );
});
