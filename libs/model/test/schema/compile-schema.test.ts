import { compileSchema, type Schema, type SchemaOptions } from '../../src';

function complaint(schema: Schema, value: unknown, options?: SchemaOptions): string | undefined {
  const outcome = compileSchema(schema, { fillDefaults: false, ...options }).check(value);
  return outcome.ok ? undefined : outcome.violation.message;
}

describe('the message of a violation', () => {
  it.each<[Schema, unknown, string]>([
    [{ type: 'string' }, 5, "5 is not of type 'string'"],
    [{ type: ['object', 'null'] }, [1], "[1] is not of type 'object', 'null'"],
    [{ type: 'integer' }, true, "True is not of type 'integer'"],
    [{ type: 'integer' }, 1.5, "1.5 is not of type 'integer'"],
    [{ enum: ['a', 'b'] }, 'z', "'z' is not one of ['a', 'b']"],
    [{ enum: [1] }, true, 'True is not one of [1]'],
    [{ minimum: 5 }, 4, '4 is less than the minimum of 5'],
    [{ minimum: 5, exclusiveMinimum: true }, 5, '5 is less than or equal to the minimum of 5'],
    [{ maximum: 5 }, 6, '6 is greater than the maximum of 5'],
    [{ maximum: 5, exclusiveMaximum: true }, 5, '5 is greater than or equal to the maximum of 5'],
    [{ multipleOf: 3 }, 4, '4 is not a multiple of 3'],
    [{ multipleOf: 0.5 }, 0.7, '0.7 is not a multiple of 0.5'],
    [{ minLength: 2 }, '😀', "'😀' is too short"],
    [{ minLength: 1 }, '', "'' should be non-empty"],
    [{ maxLength: 1 }, 'ab', "'ab' is too long"],
    [{ maxLength: 0 }, 'a', "'a' is expected to be empty"],
    [{ pattern: '^[A-Z]{3}$' }, 'abc', "'abc' does not match '^[A-Z]{3}$'"],
    [{ maxItems: 1 }, [1, 2], '[1, 2] is too long'],
    [{ minItems: 2 }, [1], '[1] is too short'],
    [{ uniqueItems: true }, [1, 1], '[1, 1] has non-unique elements'],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      "[{'a': 1, 'b': 2}, {'b': 2, 'a': 1}] has non-unique elements",
    ],
    [{ items: [{}], additionalItems: false }, [1, 2, 'x'], "Additional items are not allowed (2, 'x' were unexpected)"],
    [{ properties: { cmd: { required: true } } }, {}, "'cmd' is a required property"],
    [{ required: ['cmd'] }, {}, "'cmd' is a required property"],
    [{ additionalProperties: false }, { x: 1 }, "Additional properties are not allowed ('x' was unexpected)"],
    [
      { additionalProperties: false },
      { b: 1, a: 2 },
      "Additional properties are not allowed ('a', 'b' were unexpected)",
    ],
    [
      { patternProperties: { '^\\w+$': {} }, additionalProperties: false },
      { 'a-b': 1 },
      "'a-b' does not match any of the regexes: '^\\\\w+$'",
    ],
    [{ minProperties: 2 }, {}, '{} does not have enough properties'],
    [{ maxProperties: 1 }, { a: 1, b: 2 }, "{'a': 1, 'b': 2} has too many properties"],
    [{ dependencies: { a: ['b'] } }, { a: 1 }, "'b' is a dependency of 'a'"],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 5, '5 is not valid under any of the given schemas'],
    [
      { oneOf: [{ type: 'integer' }, { minimum: 2 }] },
      3,
      "3 is valid under each of {'minimum': 2}, {'type': 'integer'}",
    ],
    [{ not: { type: 'string' } }, 'x', "'x' should not be valid under {'type': 'string'}"],
    [
      { definitions: { n: { type: 'number' } }, items: { $ref: '#/definitions/n' } },
      ['x'],
      "'x' is not of type 'number'",
    ],
  ])('for %j against %j', (schema, value, message) => expect(complaint(schema, value)).toBe(message));

  it('hides secret values', () => {
    const schema = { properties: { pin: { type: 'string', minLength: 4, secret: true } } };
    expect(complaint(schema, { pin: '123' })).toBe("'********' is too short");
  });

  it.each([
    [{ type: 'string', secret: true }, 5, "'********' of type 'integer' is not of type 'string'"],
    [
      { type: 'object', properties: { pin: { secret: true } } },
      ['hush'],
      "'********' of type 'array' is not of type 'object'",
    ],
    [
      { type: 'object', properties: { pin: { secret: true } } },
      '{"pin": "hush"}',
      "'********' of type 'string' is not of type 'object'",
    ],
    [
      { minProperties: 2, properties: { pin: { secret: true } } },
      { pin: 'hush' },
      "'********' does not have enough properties",
    ],
    [
      { maxItems: 0, items: { properties: { pin: { secret: true } } } },
      [{ pin: 'hush' }],
      "'********' is expected to be empty",
    ],
    [
      { definitions: { pin: { secret: true } }, maxProperties: 0, properties: { pin: { $ref: '#/definitions/pin' } } },
      { pin: 'hush' },
      "'********' is expected to be empty",
    ],
  ])('hides values that may contain secrets: %j', (schema, value, message) =>
    expect(complaint(schema, value)).toBe(message),
  );

  it.each([
    [{ type: 'string', secret: true }, null, "None is not of type 'string'"],
    [{ minLength: 1, secret: true }, '', "'' should be non-empty"],
    [{ type: 'object', properties: { pin: { secret: true } } }, [], "[] is not of type 'object'"],
  ])('shows empty values in place of a secret: %j', (schema, value, message) =>
    expect(complaint(schema, value)).toBe(message),
  );

  it('shows values next to a secret', () => {
    const schema = { properties: { pin: { secret: true }, size: { type: 'integer' } } };
    expect(complaint(schema, { pin: 'hush', size: 'x' })).toBe("'x' is not of type 'integer'");
  });
});

describe('the reported violation', () => {
  const both = { properties: { b: { type: 'string' }, a: { required: true }, c: { type: 'string' } } };

  it('is the one nearest to the root', () => {
    expect(complaint({ ...both, additionalProperties: false }, { b: 1, x: 1 })).toMatch(/^Additional properties/);
  });
  it('is the last by name among siblings', () =>
    expect(complaint(both, { b: 1, c: 2 })).toBe("2 is not of type 'string'"));
  it('is the first in schema order if requested', () => {
    expect(complaint(both, { b: 1, c: 2 }, { pick: 'first' })).toBe("1 is not of type 'string'");
  });
  it('comes from the alternative that matched furthest', () => {
    const schema = { anyOf: [{ type: 'array' }, { properties: { a: { type: 'string' } } }] };
    expect(complaint(schema, { a: 1 })).toBe("1 is not of type 'string'");
  });
  it('contains its path in the value and in the schema', () => {
    const schema = { properties: { list: { items: { properties: { n: { type: 'integer' } } } } } };
    const outcome = compileSchema(schema).check({ list: [{ n: 1 }, { n: 'x' }] });
    expect(outcome).toMatchObject({
      violation: {
        keyword: 'type',
        path: ['list', 1, 'n'],
        schemaPath: ['properties', 'list', 'items', 'properties', 'n', 'type'],
      },
    });
  });
});

describe('null and defaults', () => {
  const schema = {
    properties: {
      optional: { type: 'string' },
      chosen: { enum: ['a'] },
      fixed: { type: 'integer', default: 3 },
      needed: { type: 'string', required: true, default: null },
      inner: { type: 'object', properties: { n: { type: 'integer', default: 1 }, m: { type: 'string' } } },
      list: { type: 'array', items: { type: 'object', properties: { n: { default: 2 } } } },
    },
  };
  const compiled = compileSchema(schema, { allowNone: true });

  it('fills in missing and null values at every level, without changing the input', () => {
    const given = Object.freeze({
      fixed: null,
      inner: Object.freeze({ m: null }),
      list: Object.freeze([{}, { n: 5 }]),
    });
    expect(compiled.assert(given)).toEqual({
      fixed: 3,
      needed: null,
      inner: { m: null, n: 1 },
      list: [{ n: 2 }, { n: 5 }],
    });
  });
  it('allows null where there is no default', () => {
    expect(compiled.check({ optional: null, chosen: null })).toMatchObject({ ok: true });
  });
  it.each([
    [
      { properties: { any: { anyOf: [{ type: 'object', properties: { a: { type: 'string' } } }] } } },
      { any: { a: null } },
    ],
    [{ patternProperties: { any: { type: 'string' } } }, { any: null }],
    [{ additionalProperties: { type: 'object', properties: { a: { type: 'string' } } } }, { any: { a: null } }],
    [{ properties: { any: { properties: { a: { type: 'string' } } } } }, { any: { a: null } }],
  ])('not in parts that StackStorm leaves as they are: %j', (parts, value) => {
    expect(compileSchema({ type: 'object', ...parts }, { allowNone: true }).check(value)).toMatchObject({ ok: false });
  });
  it.each([
    [{ a: { type: ['object', 'null'], properties: { b: { type: 'string' } } } }, { a: { b: null } }],
    [{ a: { type: 'array', items: { type: 'object', properties: { b: { type: 'string' } } } } }, { a: [{ b: null }] }],
  ])('allows it in objects and lists of objects: %j', (properties, value) => {
    expect(compileSchema({ type: 'object', properties }, { allowNone: true }).check(value)).toMatchObject({ ok: true });
  });
  it('then lists null among the types', () => {
    expect(() => compiled.assert({ optional: 5 })).toThrow("5 is not of type 'string', 'null'");
    expect(() => compiled.assert({ fixed: 'x' })).toThrow("'x' is not of type 'integer'");
  });
  it('rejects null by default', () => {
    expect(complaint(schema, { optional: null })).toBe("None is not of type 'string'");
  });
  it('treats a key named like a prototype property as an ordinary key', () => {
    const value = JSON.parse('{"__proto__": {"x": 1}}') as object;
    expect(JSON.stringify(compiled.assert(value))).toContain('"__proto__":{"x":1}');
    expect(complaint({ properties: { toString: { required: true } } }, {})).toBe("'toString' is a required property");
  });
});

describe('an invalid schema', () => {
  it.each<[Schema, string]>([
    [{ type: 'strin' }, "Invalid schema at type: unknown type 'strin'"],
    [{ properties: 5 }, 'Invalid schema at properties: expected an object, got 5'],
    [{ properties: { a: 'x' } }, "Invalid schema at properties.a: expected an object, got 'x'"],
    [{ minimum: '5' }, "Invalid schema at minimum: expected a number, got '5'"],
    [{ pattern: '(' }, 'Invalid regular expression "("'],
    [{ $ref: 'http://example.com/x' }, 'only references inside the schema are supported'],
    [{ $ref: '#/definitions/nope' }, 'the reference leads nowhere'],
  ])('%j is rejected', (schema, message) => expect(() => compileSchema(schema)).toThrow(message));

  it('rejects values for an endless reference', () => {
    const endless = compileSchema({ definitions: { a: { $ref: '#/definitions/a' } }, $ref: '#/definitions/a' });
    expect(() => endless.check(1)).toThrow(expect.objectContaining({ code: 'schema.too-deep' }));
  });

  it.each(['anyOf', 'allOf', 'oneOf'])(
    'rejects values for which alternatives of %s double at each level',
    (keyword) => {
      const branch = { type: 'object', properties: { a: { $ref: '#' } } };
      const value = JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`) as unknown;
      const doubling = compileSchema({ [keyword]: [branch, { ...branch }] });
      expect(() => doubling.check(value)).toThrow(expect.objectContaining({ code: 'schema.too-costly' }));
    },
  );

  it('checks a large value against several alternatives', () => {
    const items = { anyOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'integer', minimum: 0 }] };
    const numbers = Array.from({ length: 20_000 }, (_, n) => n);
    expect(complaint({ items }, numbers)).toBeUndefined();
    expect(complaint({ items }, [...numbers, -1])).toContain('-1 is less than the minimum of 0');
  });

  it('follows finite recursive references', () => {
    const tree = { properties: { kids: { items: { $ref: '#' } }, n: { type: 'integer' } } };
    expect(complaint(tree, { kids: [{ n: 1, kids: [{ n: 'x' }] }] })).toBe("'x' is not of type 'integer'");
  });
});
