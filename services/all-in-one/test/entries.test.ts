import { readServiceNames, serviceEntry, serviceNames } from '../src/entries';

it.each(serviceNames)('%s is the name of its own entry', async (name) => {
  expect((await serviceEntry(name)).name).toBe(name);
});

describe('a list of services', () => {
  it('is read in the order in which services start', () => {
    expect(readServiceNames('api,timers,auth')).toEqual(['auth', 'timers', 'api']);
    expect(readServiceNames('timers')).toEqual(['timers']);
  });

  it.each([
    ['timers,clock', 'expected names of services separated by commas, got "timers,clock"'],
    ['timers, api', 'expected names of services separated by commas, got "timers, api"'],
    ['', 'expected names of services separated by commas, got ""'],
    ['timers,api,timers', 'expected each service once, got "timers" twice'],
  ])('"%s" is refused', (text, message) => {
    expect(() => readServiceNames(text)).toThrow(message);
  });
});
