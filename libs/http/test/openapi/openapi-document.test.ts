import { openApiDocument, type Route } from '@switchyard/http';

const item = { title: 'Item', type: 'object', properties: { title: { type: 'string' } } };
const answering = (path: string, schema: object): Route => ({
  method: 'GET',
  path,
  operation: path,
  summary: path,
  response: { status: 200, schema },
  handle: () => ({ status: 200 }),
});
const documentOf = (...routes: Route[]) =>
  openApiDocument([{ prefixes: ['', '/v1'], routes }], { title: 'T', version: '1' });
const answersOf = ({ paths }: Record<string, unknown>) =>
  Object.values(paths as Record<string, { get: { responses: Record<string, { content: object }> } }>).map(
    ({ get }) => get.responses['200']?.content,
  );

it('a schema with a title becomes a component wherever it occurs', () => {
  const owner = { title: 'Owner', type: 'object', properties: { first: item, all: { type: 'array', items: item } } };
  const document = documentOf(answering('/items', { type: 'array', items: { ...item } }), answering('/owner', owner));
  const ref = { $ref: '#/components/schemas/Item' };
  expect(answersOf(document)).toEqual([
    { 'application/json': { schema: { type: 'array', items: ref } } },
    { 'application/json': { schema: { $ref: '#/components/schemas/Owner' } } },
  ]);
  expect(document['components']).toMatchObject({
    schemas: {
      Item: { type: 'object', properties: { title: { type: 'string' } } },
      Owner: { type: 'object', properties: { first: ref, all: { type: 'array', items: ref } } },
    },
  });
});

it('two different schemas cannot have the same name', () => {
  const other = answering('/other', { ...item, required: ['title'] });
  expect(() => documentOf(answering('/items', item), other)).toThrow('Two different schemas have the name Item.');
});

it('the documents of several services have one list of components', () => {
  const mounts = ['/a', '/b'].map((prefix) => ({ prefixes: [prefix], routes: [answering('/items', item)] }));
  const { paths } = openApiDocument(mounts, { title: 'T', version: '1' });
  expect(Object.keys(paths as object)).toEqual(['/a/items', '/b/items']);
});
