import { serviceEntry, serviceNames } from '../src/entries';

it.each(serviceNames)('%s is the name of its own entry', async (name) => {
  expect((await serviceEntry(name)).name).toBe(name);
});
