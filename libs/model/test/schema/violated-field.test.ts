import { compileSchema } from '../../src';

const item = { type: 'object', properties: { name: { type: 'string', required: true } }, additionalProperties: false };
const schema = compileSchema({
  type: 'object',
  properties: {
    tags: { type: 'array', items: item },
    kind: { enum: ['a', 'b'] },
    other: { type: 'object', required: ['x'] },
  },
});

/** The fields of an error besides its text. */
function refusal(value: unknown, under?: string[]): unknown {
  try {
    schema.assert(value, under);
    return undefined;
  } catch (error) {
    return (error as { extra: unknown }).extra;
  }
}

describe('a violation names the field of', () => {
  it.each([
    ['a value', { kind: 'c' }, 'kind'],
    ['a value deep inside', { tags: [{ name: 'a' }, { name: 5 }] }, 'tags.1.name'],
    ['a missing field', { tags: [{}] }, 'tags.0.name'],
    ['a field missing by a list of names', { other: {} }, 'other.x'],
    ['an object with something unexpected', { tags: [{ name: 'a', colour: 1 }] }, 'tags.0'],
  ])('%s', (_, value, field) => expect(refusal(value)).toEqual({ field }));

  it('includes the path to the value', () =>
    expect(refusal({ kind: 'c' }, ['parameters'])).toEqual({ field: 'parameters.kind' }));

  it('names no field for the value as a whole', () => expect(refusal([])).toEqual({}));
});
