import { survivors } from '../src/survivors';

it('lets other work go on while many searches begin at the same time', async () => {
  let turns = 0;
  let next = setImmediate(count);
  function count() {
    turns += 1;
    next = setImmediate(count);
  }
  await Promise.all(Array.from({ length: 300 }, () => survivors({ marker: { name: 'NO_SUCH', value: 'process' } })));
  clearImmediate(next);
  // Each reads two files of every process, and a turn has time for a few searches. Without slices they need three turns.
  expect(turns).toBeGreaterThan(10);
});
