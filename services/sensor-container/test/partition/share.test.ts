import { share } from '../../src/partition/share';

const names = (count: number, kind: string) => Array.from({ length: count }, (_, index) => `${kind}${index}`);

/** The number of sensors of each container, highest first. */
const loads = (shared: ReadonlyMap<string, string>, containers: readonly string[]) =>
  containers.map((container) => [...shared.values()].filter((each) => each === container).length).sort((a, b) => b - a);

/** Sensors that are in another container than before. */
const moved = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) =>
  [...before].filter(([sensor, container]) => after.has(sensor) && after.get(sensor) !== container).length;

describe('Sensors are shared', () => {
  it.each([
    [6, 2, [3, 3]],
    [4, 3, [2, 1, 1]],
    [2, 3, [1, 1, 0]],
    [0, 2, [0, 0]],
    [5, 1, [5]],
    [100, 7, [15, 15, 14, 14, 14, 14, 14]],
  ])('evenly: %i among %i', (sensors, count, expected) => {
    for (let trial = 0; trial < 50; trial++) {
      const containers = names(count, `c${trial}-`);
      expect(loads(share(names(sensors, 's'), containers), containers)).toEqual(expected);
    }
  });

  it('not at all without containers', () => expect(share(['s'], []).size).toBe(0));

  it('in the same way by every container, in any order of names', () => {
    const [sensors, containers] = [names(50, 's'), names(4, 'c')];
    const backwards = share([...sensors].reverse(), [...containers].reverse());
    expect(new Map([...backwards].sort())).toEqual(new Map([...share(sensors, containers)].sort()));
  });

  // Sensors, containers before and after, and how many may move at most, on average over many trials.
  it.each([
    ['a container leaves', [60, 60], [4, 3], 20],
    ['a container comes', [60, 60], [3, 4], 20],
    ['a sensor comes', [60, 61], [3, 3], 3],
    ['a sensor goes', [60, 59], [3, 3], 3],
  ] as const)('with little movement when %s', (_, [before, after], [from, to], most) => {
    const trials = 40;
    let total = 0;
    for (let trial = 0; trial < trials; trial++) {
      const divided = (sensors: number, count: number) => share(names(sensors, 's'), names(count, `c${trial}-`));
      total += moved(divided(before, from), divided(after, to));
    }
    expect(total / trials).toBeLessThanOrEqual(most);
  });
});
