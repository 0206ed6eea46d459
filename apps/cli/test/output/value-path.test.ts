import { pick, valueAtPath } from '../../src/output/value-path';

const record = { a: { b: [{ c: 1 }, { c: 2 }] }, 'x.y': 3, none: null };

test.each([
  ['a.b[0].c', 1],
  ['a.b.1.c', 2],
  ["$.a['b'][1]", { c: 2 }],
  ['$', record],
  ['a.b[*].c', [1, 2]],
  ['x.y', 3],
  ['a.nosuch.c', undefined],
  ['constructor', undefined],
])('finds at %s the value %j', (path, value) => {
  expect(valueAtPath(record, path)).toEqual(value);
});

test('picking keeps the nesting and leaves out null and missing values', () => {
  expect(pick({ ...record, action: { ref: 'r', pack: 'p' } }, ['action.ref', 'x.y', 'none', 'nosuch'])).toEqual({
    action: { ref: 'r' },
    'x.y': 3,
  });
});
