import { isGivenBetween } from '../src/leak-check';

describe('the ids of processes that are new since the last look', () => {
  it.each([
    { pid: 11, after: 10, upTo: 12, isNew: true },
    { pid: 12, after: 10, upTo: 12, isNew: true },
    { pid: 10, after: 10, upTo: 12, isNew: false },
    { pid: 13, after: 10, upTo: 12, isNew: false },
    { pid: 10, after: 10, upTo: 10, isNew: false },
    // After the highest id, the lowest ones follow.
    { pid: 32_767, after: 32_700, upTo: 310, isNew: true },
    { pid: 310, after: 32_700, upTo: 310, isNew: true },
    { pid: 311, after: 32_700, upTo: 310, isNew: false },
  ])('$pid was given out between $after and $upTo: $isNew', ({ pid, after, upTo, isNew }) => {
    expect(isGivenBetween(pid, after, upTo)).toBe(isNew);
  });
});
