import { listResponse, readAttributes, readPage, readSort } from '@switchyard/http';

describe('readPage', () => {
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
  ])('reads %p as %p', (query, page) => expect(ask(query)).toEqual(page));

  it('returns all items if the list has no default size', () => {
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
  ])('rejects %p (administrator: %p) with %p', (query, isAdmin, status, message) => {
    expect(() => ask(query, isAdmin)).toThrow(expect.objectContaining({ status, message }));
  });

  it('leads to a response with the size of the page and the total number of matches', () => {
    expect(listResponse([1], 3, { limit: 1, offset: 0 }).headers).toEqual({ 'X-Total-Count': '3', 'X-Limit': '1' });
    expect(listResponse([1], 3, { offset: 0 }).headers).toEqual({ 'X-Total-Count': '3' });
  });
});

describe('readSort', () => {
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
  ])('reads %p as %p', (text, order) => expect(readSort(text, sortable, { name: 1 })).toEqual(order));
});

describe('readAttributes', () => {
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
    [{ include_attributes: [' name'] }, { id: 1, ref: 'r', name: 'n' }],
  ])('selects %p', (asked, expected) => expect(readAttributes(asked, rules).apply(view)).toEqual(expected));

  it.each([
    [
      { include_attributes: ['name'], exclude_attributes: ['result'] },
      'exclude_fields and include_fields arguments are',
    ],
    [{ include_attributes: ['nope'] }, 'Invalid or unsupported include attribute specified: nope'],
    [{ exclude_attributes: ['action'] }, 'Invalid or unsupported exclude attribute specified: action'],
    [
      { include_attributes: ['name', ''] },
      'Invalid or unsupported include attribute specified: Cannot resolve field ""',
    ],
    [{ exclude_attributes: [''] }, 'Invalid or unsupported exclude attribute specified: Cannot resolve field ""'],
  ])('rejects %p', (asked, message) => expect(() => readAttributes(asked, rules)).toThrow(message));

  it('accepts unknown names if the list does not declare its attributes', () => {
    expect(readAttributes({ include_attributes: ['nope'] }).apply(view)).toEqual({ id: 1 });
    expect(readAttributes({ exclude_attributes: ['nope'] }).apply(view)).toEqual(view);
    expect(readAttributes({ include_attributes: [''] }).apply(view)).toEqual(view);
  });

  it('reports which fields a route can leave out', () => {
    const { wants } = readAttributes({ include_attributes: ['result.a'] }, rules);
    expect([wants('result'), wants('action'), wants('id')]).toEqual([true, false, true]);
  });
});
