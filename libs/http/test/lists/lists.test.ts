import {
  flagCondition,
  idCondition,
  listResponse,
  readAttributes,
  readPage,
  readSort,
  readTime,
  textCondition,
  timeCondition,
} from '@switchyard/http';

const ID = '0123456789abcdef01234567';

describe('a page', () => {
  const ask = (query: { limit?: number; offset?: number }, isAdmin = true, defaultLimit: number | undefined = 50) =>
    readPage({ query, requester: { isAdmin } }, { maxPageSize: 100, ...(defaultLimit ? { defaultLimit } : {}) });

  it.each([
    [{}, { limit: 50, offset: 0 }],
    [
      { limit: 7, offset: 3 },
      { limit: 7, offset: 3 },
    ],
    [{ limit: 1000 }, { limit: 1000, offset: 0 }],
    [{ limit: -1 }, { offset: 0 }],
  ])('of %p is %p', (query, page) => expect(ask(query)).toEqual(page));

  it('holds everything where the list has no default size', () => {
    expect(ask({}, true, 0)).toEqual({ offset: 0 });
    expect(ask({}, false, 0)).toEqual({ offset: 0 });
  });

  it.each([
    [{ limit: 0 }, true, 400, 'Limit, "0" specified, must be a positive number or -1 for full result set.'],
    [{ limit: -22 }, true, 400, 'Limit, "-22" specified, must be a positive number.'],
    [{ limit: 1e20 }, true, 400, 'Limit "100000000000000000000" specified is more than 32-bit int'],
    [{ limit: Infinity }, true, 400, 'Limit "Infinity" specified is more than 32-bit int'],
    [{ limit: 1000 }, false, 403, 'Limit "1000" specified, maximum value is "100"'],
    [
      { limit: -1 },
      false,
      403,
      'Administrator access required to be able to specify limit=-1 and retrieve all the records',
    ],
    [{ offset: 2 ** 31 }, true, 400, 'Offset "2147483648" specified is more than 32-bit int'],
    [{ offset: -1 }, true, 400, 'Offset, "-1" specified, must be zero or a positive number.'],
  ])('of %p (administrator: %p) is refused with %p', (query, isAdmin, status, message) => {
    expect(() => ask(query, isAdmin)).toThrow(expect.objectContaining({ status, message }));
  });

  it('is answered with its size and the number of all matches', () => {
    expect(listResponse([1], 3, { limit: 1, offset: 0 }).headers).toEqual({ 'X-Total-Count': '3', 'X-Limit': '1' });
    expect(listResponse([1], 3, { offset: 0 }).headers).toEqual({ 'X-Total-Count': '3' });
  });
});

describe('an order', () => {
  const sortable = { name: 'name', id: '_id', start: 'start_timestamp' };

  it.each([
    [undefined, { name: 1 }],
    ['', { name: 1 }],
    [',', { name: 1 }],
    ['colour', { name: 1 }],
    ['toString', { name: 1 }],
    ['-start, id', { start_timestamp: -1, _id: 1 }],
    ['+start', { start_timestamp: 1 }],
    ['id,-id', { _id: 1 }],
  ])('%p is %p', (text, order) => expect(readSort(text, sortable, { name: 1 })).toEqual(order));
});

describe('selected attributes', () => {
  const known = ['id', 'ref', 'name', 'result', 'action', 'status'];
  const rules = { known, always: ['ref'], excludable: ['result', 'status'], deep: ['result'] };
  const view = { id: 1, ref: 'r', name: 'n', action: { ref: 'a', pack: 'p' }, result: { a: { b: 1, c: 2 }, d: 3 } };

  it.each([
    [{}, view],
    [{ include_attributes: ['name'] }, { id: 1, ref: 'r', name: 'n' }],
    [{ include_attributes: ['action.ref'] }, { id: 1, ref: 'r', action: view.action }],
    [{ include_attributes: ['result.a.b', 'result.d'] }, { id: 1, ref: 'r', result: { a: { b: 1 }, d: 3 } }],
    [{ include_attributes: ['result.a.b', 'result'] }, { id: 1, ref: 'r', result: view.result }],
    [{ include_attributes: ['result.none'] }, { id: 1, ref: 'r', result: {} }],
    [{ exclude_attributes: ['result', 'status'] }, { id: 1, ref: 'r', name: 'n', action: view.action }],
    [{ include_attributes: [''] }, view],
  ])('%p', (asked, expected) => expect(readAttributes(asked, rules).apply(view)).toEqual(expected));

  it.each([
    [
      { include_attributes: ['name'], exclude_attributes: ['result'] },
      'exclude_fields and include_fields arguments are',
    ],
    [{ include_attributes: ['nope'] }, 'Invalid or unsupported include attribute specified: nope'],
    [{ exclude_attributes: ['action'] }, 'Invalid or unsupported exclude attribute specified: action'],
  ])('%p is refused', (asked, message) => expect(() => readAttributes(asked, rules)).toThrow(message));

  it('may be unknown where the list does not say what it has', () => {
    expect(readAttributes({ include_attributes: ['nope'] }).apply(view)).toEqual({ id: 1 });
    expect(readAttributes({ exclude_attributes: ['nope'] }).apply(view)).toEqual(view);
  });

  it('tell a route what it need not read', () => {
    const { wants } = readAttributes({ include_attributes: ['result.a'] }, rules);
    expect([wants('result'), wants('action'), wants('id')]).toEqual([true, false, true]);
  });
});

describe('a filter', () => {
  it.each([
    ['core', 'core'],
    ['NULL', null],
    ['running,paused', { $in: ['running', 'paused'] }],
  ])('by text %p is %p', (text, condition) => expect(textCondition(text)).toEqual(condition));

  it('by id takes one, or several up to a limit', () => {
    expect(idCondition([ID])).toBe(ID);
    expect(idCondition([ID, ID])).toEqual({ $in: [ID, ID] });
    expect(() => idCondition([ID, ID], 1)).toThrow('Maximum of 1 items can be provided for a query parameter value');
    expect(() => idCondition([''])).toThrow("'' is not a valid ObjectId");
    expect(() => idCondition([ID, 'garbage'])).toThrow("'garbage' is not a valid ObjectId, it must be a 12-byte input");
  });

  it('by flag takes a few words', () => {
    expect(['1', 'True', 'false', '0'].map(flagCondition)).toEqual([true, true, false, false]);
    expect(() => flagCondition('x')).toThrow('Invalid bool representation "x" provided.');
  });

  it.each(['2030-01-02T03:04:05Z', '2030-01-02 03:04:05.000000+00:00', '2030-01-02T03:04:05.000 0000'])(
    'by time takes %p',
    (text) => expect(readTime(text)).toBe(Date.UTC(2030, 0, 2, 3, 4, 5) * 1000),
  );

  it.each(['5', '2030-01-02', '2030-01-02T03:04:05+01:00', '2030-13-02T03:04:05Z', ''])('by time refuses %p', (text) =>
    expect(() => readTime(text)).toThrow('Datetime value does not match expected format.'),
  );

  it('by a range of times is ordered as the range is written', () => {
    const [a, b] = ['2030-01-01T00:00:00Z', '2030-01-02T00:00:00Z'];
    const condition = { $gte: readTime(a), $lte: readTime(b) };
    expect(timeCondition(`${a}..${b}`)).toEqual({ condition, direction: 1 });
    expect(timeCondition(`${b}..${a}`)).toEqual({ condition, direction: -1 });
    expect(timeCondition(a)).toEqual({ condition: { $eq: readTime(a) } });
  });
});
