import { answerCheck } from '../../src/routing/compiled-route';
import type { Route, RouteResponse } from '../../src/routing/route';

const schema = {
  type: 'object',
  properties: { id: { type: 'string' }, size: { type: 'integer' } },
  required: ['id'],
};

const route: Route = {
  method: 'POST',
  path: '/things',
  operation: 'things.post',
  summary: 'A thing',
  body: 'any',
  bodySchema: { type: 'object', properties: { size: { type: 'integer' } } },
  response: { status: 201, schema },
  handle: () => ({ status: 201 }),
};

const check = answerCheck(route);
const asked = (answer: RouteResponse, body: unknown = {}) => check(answer, body);

describe('checking answers against what a route declares', () => {
  it('accepts valid responses, and responses other than successes', () => {
    const answer = { status: 201, body: { id: 'a', size: undefined } };
    expect(asked(answer, { size: 3 })).toBe(answer);
    expect(asked({ status: 304 })).toEqual({ status: 304 });
  });

  it.each<[string, RouteResponse, RegExp]>([
    ['a member that is missing', { status: 201, body: {} }, /'id' is a required property/],
    ['a member that the schema does not name', { status: 201, body: { id: 'a', color: 'red' } }, /color/],
    ['another success', { status: 200, body: { id: 'a' } }, /status 200/],
  ])('refuses %s', (_, answer, message) => {
    expect(() => asked(answer)).toThrow(message);
  });

  it('refuses an accepted body that the document does not describe', () => {
    expect(() => asked({ status: 201, body: { id: 'a' } }, { size: 'large' })).toThrow(/accepts a body/);
  });

  it('refuses a body where none is declared', () => {
    const silent = answerCheck({ ...route, response: { status: 204 } });
    expect(() => silent({ status: 204, body: {} }, {})).toThrow(/a body/);
  });

  it('checks the items of a list that is sent while it is read', async () => {
    const list = answerCheck({ ...route, response: { status: 200, schema: { type: 'array', items: schema } } });
    async function* batches() {
      yield [{ id: 'a' }];
      yield [{ id: 1 }];
    }
    const { items } = list({ status: 200, items: batches() }, {});
    const read = async () => {
      const seen: unknown[] = [];
      for await (const batch of items ?? []) seen.push(...batch);
      return seen;
    };
    await expect(read()).rejects.toThrow(/is not of type 'string'/);
  });
});
