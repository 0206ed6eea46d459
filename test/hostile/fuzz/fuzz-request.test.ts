import { fuzzRequest } from './fuzz-request';
import { readOperations } from './operations';

const operations = readOperations();
const requests = Array.from({ length: 3000 }, (_, index) => fuzzRequest(operations, 1, index));

describe('the requests of the fuzzer', () => {
  it('are the same for the same seed, each independent of earlier ones', () => {
    expect(fuzzRequest(operations, 1, 1234)).toEqual(requests[1234]);
    expect(fuzzRequest(operations, 2, 1234)).not.toEqual(requests[1234]);
  });

  it('cover every operation', () => {
    const shapes = operations.map(
      ({ method, path }) => [method, new RegExp(`^${path.replace(/\{\w+\}/g, '.*')}`)] as const,
    );
    const missed = shapes.filter(
      ([method, shape]) => !requests.some((each) => each.method === method && shape.test(each.path)),
    );
    expect(missed).toEqual([]);
  });

  it('can be sent: their paths and headers are valid HTTP', () => {
    expect(requests.filter(({ path }) => /[^\x21-\x7e]/.test(path))).toEqual([]);
    const headers = requests.flatMap(({ headers: given = {} }) => Object.values(given));
    expect(headers.filter((value) => /[^\t\x20-\x7e\x80-\xff]/.test(String(value)))).toEqual([]);
  });

  it('are deep, long, wide, truncated, and full of unusual characters', () => {
    const bodies = requests.map(({ body }) =>
      body === undefined ? '' : Buffer.from(body as string).toString('latin1'),
    );
    const has = (test: (body: string) => boolean) => bodies.some(test);
    expect([
      has((body) => body.includes('[['.repeat(50))),
      has((body) => body.length > 1_000_000),
      has((body) => body.includes('\\ud800')),
      has((body) => body.includes('\\u0000')),
      has((body) => body.includes('1e400')),
      has((body) => body.includes('"k999":0')),
    ]).toEqual([true, true, true, true, true, true]);
  });
});
