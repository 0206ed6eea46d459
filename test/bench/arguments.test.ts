import { readArguments } from './arguments';
import { SYSTEM_SCENARIOS } from './system-scenarios';

const known = { pure: ['yaql'], service: ['rules'], system: SYSTEM_SCENARIOS };
const read = (...args: string[]) => readArguments(args, known);

/** The scenarios that need only HTTP. */
const OVER_HTTP = ['noop', 'local', 'python', 'webhook', 'workflow', 'items'];

describe('the arguments of the bench', () => {
  it('by default, everything runs once on this system, except what takes an hour, needs a browser or needs servers', () => {
    const { system, ...rest } = read();
    expect(rest).toEqual({
      target: 'embedded',
      runners: 1,
      grouping: 'each',
      scale: 1,
      stored: 10_000,
      pure: ['yaql'],
      service: ['rules'],
    });
    expect(Object.keys(SYSTEM_SCENARIOS).filter((name) => !system.includes(name))).toEqual([
      'calls',
      'mixed',
      'purge',
      'console',
      'scaling',
    ]);
  });

  it('on servers, the calls are counted, and what needs no system is left out', () => {
    const { system, pure } = read('--target', 'servers');
    expect(system).toContain('calls');
    expect(pure).toEqual([]);
  });

  it('services can share processes on servers', () => {
    expect(read('--target', 'servers', '--grouping', 'small').grouping).toBe('small');
  });

  it('a comparison with a commit takes all scenarios on whole systems, in three pairs', () => {
    const { system, pure, service, against } = read('--against', '7cc6d25');
    expect({ pure, service, against }).toEqual({ pure: [], service: [], against: { commit: '7cc6d25', pairs: 3 } });
    expect(system).toEqual(read().system);
  });

  it('a comparison with an address takes what needs HTTP alone', () => {
    const { system, against } = read('--against-url', 'http://localhost/api', '--pairs', '5');
    expect(against).toEqual({ url: 'http://localhost/api', pairs: 5 });
    expect(system).toEqual(OVER_HTTP);
  });

  it('the scale applies to the stored executions, unless their number is given', () => {
    expect(read('--scale', '0.05').stored).toBe(500);
    expect(read('--scale', '0.05', '--stored', '7000').stored).toBe(7000);
  });

  it.each([
    [['--scenario', 'nothing'], '--scenario: expected one of noop, local,'],
    [['--scenario', 'calls'], '--scenario calls: it needs --target servers'],
    [['--scenario', 'rules', '--against', 'HEAD'], '--scenario rules: it runs in the process of the bench'],
    [
      ['--scenario', 'memory', '--against-url', 'http://localhost/api'],
      '--scenario memory: it needs a system that the bench has',
    ],
    [['--target', 'servers', '--scenario', 'yaql'], 'the scenario yaql runs without any system'],
    [['--grouping', 'small'], '--grouping small: it needs --target servers'],
    [['--grouping', 'big', '--target', 'servers'], '--grouping: expected each or small, got "big"'],
    [['--pairs', '0', '--against', 'HEAD'], '--pairs: expected a whole number above 0, got "0"'],
    [['--pairs', '2'], '--pairs: expected --against or --against-url with it'],
    [['--stored', 'many'], '--stored: expected a whole number above 0, got "many"'],
    [['--scale', '0'], '--scale: expected a number above 0, got "0"'],
    [['--against', 'HEAD', '--against-url', 'http://localhost'], '--against and --against-url exclude each other'],
    [['--against-url', 'https://localhost/api'], '--against-url: expected an address with http://'],
    [['--against-url', 'localhost'], '--against-url: expected an address with http://, got "localhost"'],
  ])('%j is refused', (args, reason) => {
    expect(() => read(...args)).toThrow(reason);
  });

  it('a password in the address is refused, and not repeated', () => {
    expect(() => read('--against-url', 'http://me:hunter2@localhost/api')).toThrow(
      /^--against-url: expected an address without credentials(?!.*hunter2)/,
    );
  });
});
