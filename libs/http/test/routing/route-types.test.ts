import { Type } from '@sinclair/typebox';
import { route } from '@switchyard/http';

/*
 * The types of a handler follow from the declaration of its route: `npm run types` fails if an error that is expected
 * here does not occur.
 */
const about = { operation: 'tests.one', summary: 'A test' };
const body = Type.Object({ name: Type.String(), count: Type.Optional(Type.Integer()) });

it('path parameters, query and body have the declared types', () => {
  const declared = route({
    ...about,
    method: 'POST',
    path: '/things/{id}/parts/{rest+}',
    query: { limit: { type: 'integer', default: 5 } },
    body,
    handle({ params, query, body: given }) {
      const texts: string[] = [params.id, params.rest, given.name];
      const numbers: number[] = [query.limit, given.count ?? 0];
      // @ts-expect-error: the path has no such parameter
      texts.push(params.name);
      // @ts-expect-error: the query has no such parameter
      texts.push(query.offset);
      // @ts-expect-error: the body has no such member
      texts.push(given.size);
      return { status: 200, body: { texts, numbers } };
    },
  });
  expect(declared.path).toBe('/things/{id}/parts/{rest+}');
});

it('a body without a schema is a string or unknown', () => {
  const text = route({ ...about, method: 'POST', path: '/text', body: 'text', handle: ({ body: given }) => ({ status: 200, text: given }) }); // oxfmt-ignore
  const anything = route({
    ...about,
    method: 'POST',
    path: '/anything',
    body: 'any',
    // @ts-expect-error: its type is unknown
    handle: ({ body: given }) => ({ status: 200, text: given }),
  });
  expect([text.body, anything.body]).toEqual(['text', 'any']);
});
