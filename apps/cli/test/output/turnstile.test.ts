import { deferred } from '@switchyard/base';
import { turnstile } from '../../src/output/tail-workflow';

test('limits concurrent work in order, even after a failure', async () => {
  const turns = turnstile(2);
  const begun: number[] = [];
  const works = [0, 1, 2, 3].map(() => deferred<void>());
  const passed = works.map((work, index) =>
    turns.pass(() => {
      begun.push(index);
      return work.promise;
    }),
  );
  expect(begun).toEqual([0, 1]);
  works[1]!.reject(new Error('no'));
  await expect(passed[1]).rejects.toThrow('no');
  expect(begun).toEqual([0, 1, 2]);
  works[0]!.resolve();
  await passed[0];
  expect(begun).toEqual([0, 1, 2, 3]);
  for (const work of works) work.resolve();
  await Promise.all([passed[2], passed[3]]);
});
