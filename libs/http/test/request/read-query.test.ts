import type { QueryParameters } from '@switchyard/http';
import { queryReader, queryTexts } from '../../src/request/request-target';

const read = queryReader({
  flag: { type: 'boolean', argument: 'the_flag' },
  count: { type: 'integer', minimum: -1, maximum: 1000 },
  share: { type: 'number' },
  name: { type: 'string', maximumLength: 5 },
  kind: { type: 'string', enum: ['all', 'some'], default: 'all' },
  tags: { type: 'list', maximumLength: 3 },
});

describe('queryReader', () => {
  it.each([
    ['flag=True', { flag: true }],
    ['flag=y', { flag: true }],
    ['flag=NO', { flag: false }],
    ['count=007', { count: 7 }],
    ['count=-1', { count: -1 }],
    ['share=1.5e2', { share: 150 }],
    ['share=.5', { share: 0.5 }],
    ['name=a%20b+c', { name: 'a b c' }],
    ['name=', { name: undefined }],
    ['name=one&name=two', { name: 'two' }],
    ['n%61me=x', { name: 'x' }],
    ['tags=a,b', { tags: ['a', 'b'] }],
    ['tags=', { tags: [''] }],
    ['kind=some', { kind: 'some' }],
    ['unknown=1&&', { kind: 'all' }],
    ['name=%C5%BE', { name: 'ž' }],
  ])('reads %s as %p', (query, expected) => {
    expect(read(queryTexts(query))).toMatchObject(expected);
  });

  it.each([
    ['flag=maybe', 'Parameter "the_flag" is not of type boolean'],
    ['flag=', 'Parameter "the_flag" is not of type boolean'],
    ['count=1.0', 'Parameter "count" is not of type integer'],
    ['count=1e2', 'Parameter "count" is not of type integer'],
    ['count=%201', 'Parameter "count" is not of type integer'],
    ['count=', 'Parameter "count" is not of type integer'],
    ['count=5&count=x', 'Parameter "count" is not of type integer'],
    ['count=-2', 'Parameter "count" must be at least -1, got -2'],
    ['count=1001', 'Parameter "count" must be at most 1000, got 1001'],
    ['share=many', 'Parameter "share" is not of type float'],
    ['name=toolong', 'Parameter "name" is longer than 5'],
    ['tags=a,b,c,d', 'Parameter "tags" is longer than 3'],
    ['kind=none', 'Parameter "kind" must be one of all, some, got "none"'],
  ])('rejects %s: %s', (query, message) => {
    expect(() => read(queryTexts(query))).toThrow(message);
  });

  it('rejects a query without a required parameter', () => {
    const needed = queryReader({ name: { type: 'string', required: true } });
    expect(() => needed(queryTexts('name='))).toThrow('Required parameter "name" is missing');
    expect(needed(queryTexts('name=x'))).toEqual({ name: 'x' });
  });

  it('rejects invalid escapes', () => {
    expect(() => queryTexts('ref=%FF')).toThrow('Failed to parse the query parameter "ref"');
    expect(() => queryTexts('%zz=1')).toThrow('Failed to parse the query parameter "%zz"');
  });

  it('accepts any name', () => {
    expect(queryTexts('__proto__=x&constructor=y')).toEqual({ ['__proto__']: 'x', constructor: 'y' });
    expect(queryReader({ ['constructor']: { type: 'string' } } as QueryParameters)(queryTexts('a=1'))).toEqual({
      constructor: undefined,
    });
  });
});
