import { Contexts } from '../../src/state/contexts';
import { DirtyDocuments, Journal } from '../../src/state/journal';

const made = (): { contexts: Contexts; journal: Journal } => {
  const journal = new Journal();
  return { contexts: new Contexts(journal, new DirtyDocuments()), journal };
};

describe('contexts', () => {
  it('extend their base by values: maps merge, everything else is replaced', () => {
    const { contexts } = made();
    const first = contexts.publish(-1, { m: { a: 1, deep: { x: 1 } }, l: [1], s: 'old' });
    const second = contexts.publish(first, { m: { b: 2, deep: { y: 2 } }, l: [2], s: 'new' });
    expect(contexts.resolve(second)).toEqual({ m: { a: 1, b: 2, deep: { x: 1, y: 2 } }, l: [2], s: 'new' });
    expect(contexts.resolve(first)).toEqual({ m: { a: 1, deep: { x: 1 } }, l: [1], s: 'old' });
    expect(contexts.published(second)).toEqual({ m: { b: 2, deep: { y: 2 } }, l: [2], s: 'new' });
  });

  it('keep names of Object.prototype', () => {
    const { contexts } = made();
    const first = contexts.publish(
      -1,
      JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}') as Record<string, unknown>,
    );
    const second = contexts.publish(first, { a: 1 });
    expect(Object.keys(contexts.resolve(second)).sort()).toEqual(['__proto__', 'a', 'constructor'].sort());
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('merge what the other has added since the two parted', () => {
    const { contexts } = made();
    const fork = contexts.publish(contexts.publish(-1, { x: 0 }), { x: 1 });
    const left = contexts.publish(fork, { x: 2 });
    const right = contexts.publish(fork, { y: 1 });
    expect(contexts.resolve(contexts.merge(left, right))).toEqual({ x: 2, y: 1 });
    expect(contexts.resolve(contexts.merge(right, left))).toEqual({ x: 2, y: 1 });
    expect(contexts.merge(left, fork)).toBe(left);
  });

  it('merge many branches one after the other, in any order', () => {
    const { contexts } = made();
    const fork = contexts.publish(-1, { x: 0 });
    const branches = Array.from({ length: 50 }, (_, index) =>
      contexts.publish(fork, { [`b${index}`]: index, last: index }),
    );
    const merged = branches.reduce((into, branch) => contexts.merge(into, branch));
    expect(contexts.resolve(merged)).toMatchObject({ x: 0, b0: 0, b49: 49, last: 49 });
    expect(branches.every((branch) => contexts.merge(merged, branch) === merged)).toBe(true);
  });

  it('keep the publishing order of a branch when part of it is already there', () => {
    const { contexts } = made();
    const start = contexts.publish(-1, {});
    const [older, newer] = [contexts.publish(start, { v: 'older' }), contexts.publish(start, { v: 'newer' })];
    const both = contexts.merge(older, newer);
    expect(contexts.resolve(both)).toEqual({ v: 'newer' });
    expect(contexts.resolve(contexts.merge(newer, both))).toEqual({ v: 'newer' });
  });

  it('can be rebuilt after being dropped, and are gone after a rollback', () => {
    const { contexts, journal } = made();
    const first = contexts.publish(-1, { a: 1 });
    journal.commit();
    const second = contexts.publish(first, { a: 2 });
    expect(contexts.resolve(second)).toEqual({ a: 2 });
    journal.rollback();
    contexts.forget();
    expect(contexts.nodes).toHaveLength(1);
    expect(contexts.resolve(contexts.publish(first, { a: 3 }))).toEqual({ a: 3 });
  });
});
