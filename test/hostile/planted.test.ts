import { plantedSecrets, watchForSecrets } from './planted';

it('the search finds a planted secret that arrives in two pieces, and names it', () => {
  const planted = plantedSecrets();
  const watch = watchForSecrets(planted);
  watch.look(`nothing here, ${planted.password.slice(0, 10)}`);
  expect(watch.seen()).toEqual([]);
  watch.look(`${planted.password.slice(10)}, and more`);
  expect(watch.seen()).toEqual(['password']);
});
