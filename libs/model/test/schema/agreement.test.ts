import { rounds } from '@switchyard/testkit/rounds';
import Ajv from 'ajv-draft-04';
import { compileSchema, type Schema } from '../../src';

/** A small seeded generator, so that a failure can be reproduced. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const names = ['a', 'b', 'c_d'];
const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

function value(next: (below: number) => number, depth = 0): unknown {
  const scalars = [null, true, false, 0, 1, 2.5, -3, '', 'a', 'abc'];
  const kind = depth > 2 ? 0 : next(3);
  if (kind === 1) return Array.from({ length: next(4) }, () => value(next, depth + 1));
  if (kind === 2) return Object.fromEntries(names.slice(0, next(4)).map((name) => [name, value(next, depth + 1)]));
  return scalars[next(scalars.length)];
}

const keywords: readonly ((next: (below: number) => number, depth: number) => Schema)[] = [
  (next) => ({ type: types[next(types.length)] }),
  (next) => ({ enum: [value(next, 2)] }),
  (next) => ({ minimum: next(3), exclusiveMinimum: next(2) === 0 }),
  (next) => ({ maximum: next(3) }),
  (next) => ({ minLength: next(3) }),
  (next) => ({ maxItems: next(3), uniqueItems: true }),
  () => ({ pattern: '^a' }),
  (next, depth) => ({ items: schema(next, depth) }),
  (next, depth) => ({ items: [schema(next, depth)], additionalItems: false }),
  (next, depth) => ({ properties: { a: schema(next, depth), b: {} }, additionalProperties: next(2) === 0 }),
  (next, depth) => ({ patternProperties: { '^[ab]$': schema(next, depth) } }),
  (next) => ({ required: [names[next(3)]] }),
  (next, depth) => ({ dependencies: { a: ['b'], b: schema(next, depth) } }),
  (next, depth) => ({ anyOf: [schema(next, depth), schema(next, depth)] }),
  (next, depth) => ({ oneOf: [schema(next, depth), schema(next, depth)] }),
  (next, depth) => ({ allOf: [schema(next, depth)] }),
  (next, depth) => ({ not: schema(next, depth) }),
];

function schema(next: (below: number) => number, depth = 0): Schema {
  const count = depth > 2 ? 7 : keywords.length;
  const chosen = Array.from({ length: next(3) + 1 }, () => keywords[next(count)]?.(next, depth + 1));
  return Object.assign({}, ...chosen) as Schema;
}

it('agrees with another draft 4 validator on random schemas and values', () => {
  const next = random(20261);
  const differing: unknown[] = [];
  for (let round = 0; round < rounds(100); round += 1) {
    const given = schema(next);
    const other = new Ajv({ strict: false, logger: false }).compile(given);
    const ours = compileSchema(given, { fillDefaults: false });
    for (let turn = 0; turn < 20; turn += 1) {
      const instance = value(next);
      if (ours.check(instance).ok !== other(instance)) differing.push([given, instance]);
    }
  }
  expect(differing).toEqual([]);
});
