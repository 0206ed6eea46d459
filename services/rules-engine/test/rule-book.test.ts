import type { Store } from '@switchyard/storage';
import { leakCheck, testClock } from '@switchyard/testkit/system';
import { createRuleBook } from '../src/rule-book';
import { engineFixture, TRIGGER } from './support/engine-fixture';

const later = leakCheck();

/** A book over a store that counts reads of rules and fails them on request. */
async function aBook() {
  const on = await engineFixture({ engines: 0 });
  later(() => on.close());
  const reads = { count: 0, failing: false };
  const list: Store['rules']['list'] = (page) => {
    reads.count += 1;
    return reads.failing ? Promise.reject(new Error('no answer')) : on.store.rules.list(page);
  };
  const { revisions, triggers, triggerTypes } = on.store;
  const book = createRuleBook({ rules: { ...on.store.rules, list }, revisions, triggers, triggerTypes }, testClock());
  return { on, book, reads };
}

describe('the rules of a trigger', () => {
  it('are read once for many events, and again after a change', async () => {
    const { on, book, reads } = await aBook();
    await on.rule();
    const pages = await Promise.all(Array.from({ length: 50 }, () => book.page(TRIGGER)));
    expect(new Set(pages.map(({ rules }) => rules.rules.length))).toEqual(new Set([1]));
    expect(reads.count).toBe(1);
    await on.rule();
    const changed = await Promise.all(Array.from({ length: 50 }, () => book.page(TRIGGER)));
    expect(new Set(changed.map(({ rules }) => rules.rules.length))).toEqual(new Set([2]));
    expect(reads.count).toBe(2);
  });

  it('stay compiled while they have not changed', async () => {
    const { on, book } = await aBook();
    const kept = await on.rule();
    const before = (await book.page(TRIGGER)).rules.rules;
    await on.rule();
    const after = (await book.page(TRIGGER)).rules.rules;
    expect(after.find(({ record }) => record._id === kept._id)).toBe(before[0]);
  });

  it('are read again after a read that failed', async () => {
    const { on, book, reads } = await aBook();
    await on.rule();
    reads.failing = true;
    await expect(book.page(TRIGGER)).rejects.toThrow('no answer');
    reads.failing = false;
    expect((await book.page(TRIGGER)).rules.rules).toHaveLength(1);
  });
});
