import type { Schema } from './operations';
import { below, pick, type Random } from './random';

const WORDS = [
  'a',
  'core.local',
  'x y',
  '5',
  '',
  'true',
  '2030-01-31T12:00:00Z',
  '{{ a }}',
  'name',
  '000000000000000000000000',
];

/** A value that roughly matches a schema. */
export function soundValue(schema: Schema, random: Random, levels = 4): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return pick(schema.enum, random);
  if (schema.anyOf) return soundValue(pick(schema.anyOf, random), random, levels);
  const type = typeof schema.type === 'object' ? pick(schema.type, random) : schema.type;
  switch (type ?? (schema.properties ? 'object' : pick(['string', 'integer', 'object', 'null'], random))) {
    case 'string':
      return pick(WORDS, random);
    case 'integer':
      return (schema.minimum ?? 0) + below(20, random);
    case 'number':
      return below(2000, random) / 10;
    case 'boolean':
      return random() < 0.5;
    case 'array':
      return levels > 0
        ? Array.from({ length: below(3, random) }, () => soundValue(schema.items ?? {}, random, levels - 1))
        : [];
    case 'object':
      return levels > 0 ? soundObject(schema, random, levels) : {};
    default:
      return null;
  }
}

function soundObject(
  { properties = {}, required = [], patternProperties }: Schema,
  random: Random,
  levels: number,
): unknown {
  const members = Object.entries(properties).filter(([name]) => required.includes(name) || random() < 0.4);
  const free = patternProperties || Object.keys(properties).length === 0 ? [['a', {}] as const] : [];
  return Object.fromEntries([...members, ...free].map(([name, each]) => [name, soundValue(each, random, levels - 1)]));
}
