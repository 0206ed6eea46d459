import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseWords } from '../../src/parameters/parse-words';

const definitions = {
  s: { type: 'string' },
  i: { type: 'integer' },
  n: { type: 'number' },
  b: { type: 'boolean' },
  o: { type: 'object' },
  a: { type: 'array' },
  ints: { type: 'array', items: { type: 'integer' } },
  texts: { type: 'array', items: { type: 'string' } },
  objects: { type: 'array', items: { type: 'object' }, properties: { size: { type: 'integer' } } },
  either: { type: ['string', 'integer', 'null'] },
  untyped: { default: 1 },
};

const parse = (words: string[], more: object = {}) => parseWords(words, { definitions, ...more });

test.each([
  [['s=1'], { s: '1' }],
  [['s='], { s: '' }],
  [['s=a=b'], { s: 'a=b' }],
  [['i=-7'], { i: -7 }],
  [['n=1.5', 'i= 3 '], { n: 1.5, i: 3 }],
  [['n=1e3'], { n: 1000 }],
  [['i=1_000'], { i: 1000 }],
  [['b=TRUE'], { b: true }],
  [['o={"x": 1}'], { o: { x: 1 } }],
  [['o=x=1,y=2,z'], { o: { x: '1', y: '2' } }],
  [['o='], { o: {} }],
  [['a='], { a: [''] }],
  [['a=5'], { a: [5] }],
  [['a=1.5'], { a: [1.5] }],
  [['a=true'], { a: [true] }],
  [['a=x, y'], { a: ['x', 'y'] }],
  [['a=[1, "x"]'], { a: [1, 'x'] }],
  [['a=[1234567890123456789]'], { a: ['1234567890123456789'] }],
  [['a={"x": 1}'], { a: [{ x: 1 }] }],
  [['a=x', 'a=y'], { a: ['x', 'y'] }],
  [['ints=1,2'], { ints: [1, 2] }],
  [['texts=5'], { texts: ['5'] }],
  [['either=5'], { either: 5 }],
  [['either=null'], { either: null }],
  [['either=x'], { either: 'x' }],
  [['untyped=5', 'unknown=true'], { untyped: '5', unknown: 'true' }],
  [['ls', '-l', 'a=b'], { cmd: 'ls -l a=b' }],
  [['=x'], { '': 'x' }],
  [['s=x', 'echo', 'hi'], { s: 'x', cmd: 'echo hi' }],
])('%j means %j', (words, parameters) => {
  expect(parse(words)).toEqual(parameters);
});

test.each([
  ['i=abc', /"i": "abc" is not an integer/],
  ['i=1.5', /"i": "1.5" is not an integer/],
  ['n=abc', /"n": "abc" is not a number/],
  ['i=1234567890123456789', /"i": 1234567890123456789 is too large and would lose digits/],
  ['n=1e400', /"n": 1e400 is too large/],
  ['b=maybe', /"b": Invalid value for boolean parameter. Valid values are: true, false/],
  ['o={bad', /"o": the object is not valid JSON/],
  ['o=bad', /"o": "bad" is neither JSON nor of the form a=1,b=2/],
  ['ints=1,x', /"ints": "x" is not an integer/],
  ['@s=no/such/file', /Cannot read the file "no\/such\/file"/],
])('rejects %s', (word, text) => {
  expect(() => parse([word])).toThrow(text);
});

test('--auto-dict reads texts with colons as objects, and does not change other lists', () => {
  expect(parse(['objects=name:x,size:3', 'objects=name:a:b'], { autoDict: true })).toEqual({
    objects: [{ name: 'x', size: 3 }, { name: 'a:b' }],
  });
  expect(parse(['a=x,y'], { autoDict: true })).toEqual({ a: ['x', 'y'] });
});

describe('with a file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'words-'));
  const file = join(directory, 'data.json');
  writeFileSync(file, '{"x": "ä"}');
  const lines = join(directory, 'lines.txt');
  writeFileSync(lines, 'one, two\n');
  afterAll(() => rmSync(directory, { recursive: true }));

  test.each([
    [{}, `@s=${file}`, { s: '{"x": "ä"}' }],
    [{}, `@o=${file}`, { o: '{"x": "ä"}' }],
    [{}, `@a=${lines}`, { a: 'one, two\n' }],
    [{}, `@i=${lines}`, { i: 'one, two\n' }],
    [{ sendsFiles: true }, `@body=${file}`, { file_content: '{"x": "ä"}', file_name: 'data.json', method: 'POST' }],
  ])('%j %s passes its content', (options, word, parameters) => {
    expect(parse([word], options)).toEqual(parameters);
  });
});
