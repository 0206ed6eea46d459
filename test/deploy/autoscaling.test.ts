import { ruleOf, type ScalingRule } from './autoscaling-rule';
import { hasHelm, ofKind, render, RELEASE, valuesIn } from './chart';
import { LOAD_NAMES, LOADS, shortSeconds, type LoadName } from './pool-loads';
import { simulatePool, type Simulated, type SimulatedPool } from './pool-simulation';
import { levelsAt, recordedLevels, type PoolLevels } from './recorded-levels';

const SLOTS = 10;
const DRAIN_SECONDS = 300;
const MINUTE = 60;

/** The rules of the chart for a pool of 10 slots: by KEDA from 0 and from 1 pods, and by a HorizontalPodAutoscaler. */
function rules(): ReadonlyMap<string, ScalingRule> {
  const pool = { slots: SLOTS, drainSeconds: DRAIN_SECONDS };
  const keda = (minReplicas: number) => ({ ...pool, autoscaling: { kind: 'keda', minReplicas, maxReplicas: 8 } });
  const production = { ...valuesIn('production'), pools: { default: keda(1), batch: keda(0) } };
  const small = { ...valuesIn('small'), pools: { default: { ...pool, autoscaling: { kind: 'hpa', maxReplicas: 8 } } } };
  const of = (values: object) =>
    ofKind(render(values), 'ScaledObject', 'HorizontalPodAutoscaler').map(
      (manifest) => [`${manifest.kind} ${manifest.metadata.name}`, ruleOf(manifest)] as const,
    );
  return new Map([...of(production), ...of(small)]);
}

const simulated = (rule: ScalingRule, load: LoadName, more: Partial<SimulatedPool> = {}): Simulated =>
  simulatePool({
    rule,
    slots: SLOTS,
    drainSeconds: DRAIN_SECONDS,
    arrivals: LOADS[load],
    secondsOf: shortSeconds,
    ...more,
  });

const canRender = hasHelm();
const described = canRender ? describe : describe.skip;

described('The autoscaling of pools, simulated with the rules of the chart', () => {
  const known = canRender ? rules() : new Map<string, ScalingRule>();
  const all = [...known].flatMap(([name, rule]) => LOAD_NAMES.map((load) => ({ name, load, rule })));

  it('has the rules of three pools', () => {
    expect([...known.keys()]).toEqual([
      `ScaledObject ${RELEASE}-switchyard-runner-batch`,
      `ScaledObject ${RELEASE}-switchyard-runner-default`,
      `HorizontalPodAutoscaler ${RELEASE}-switchyard-runner-default`,
    ]);
    for (const { most, slots, waitSeconds } of known.values()) expect([most, slots, waitSeconds]).toEqual([8, 8, 30]);
  });

  it.each(all)('$name loses and cuts nothing: $load', ({ rule, load }) => {
    const { arrived, finished, cut, sizes, longestWaitSeconds } = simulated(rule, load);
    expect({ arrived, finished, cut }).toEqual({ arrived, finished: arrived, cut: 0 });
    expect(arrived).toBeGreaterThan(1000);
    expect(Math.max(...sizes)).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(rule.most);
    expect(Math.min(...sizes)).toBe(rule.least);
    // With all pods there are 80 slots for 20 executions a second of 30 s.
    expect(longestWaitSeconds).toBeLessThan(load === 'burst' ? 10 * MINUTE : 2 * MINUTE);
  });

  it.each(all)('$name loses and cuts nothing, and keeps its bounds, with recorded levels: $load', ({ rule, load }) => {
    const recorded = recordedLevels(load);
    const { arrived, finished, cut, sizes } = simulated(rule, load, { levelsAt: (at) => levelsAt(recorded, at) });
    expect({ arrived, finished, cut }).toEqual({ arrived, finished: arrived, cut: 0 });
    expect(arrived).toBeGreaterThan(1000);
    // The recorded pool had 40 slots. The rule wants slots for all that waited or ran at a time, so at least half of these.
    expect(Math.max(...sizes)).toBeGreaterThanOrEqual(recorded.slots / 2 / SLOTS);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(rule.most);
    expect(Math.min(...sizes)).toBe(rule.least);
  });

  it.each([...known])('%s keeps its size while the need comes back within the window', (_, rule) => {
    const { sizes } = simulated(rule, 'flapping');
    const grown = sizes.indexOf(Math.max(...sizes));
    const duringLoad = sizes.slice(grown, LOADS.flapping.length);
    expect(new Set(duringLoad)).toEqual(new Set([Math.max(...sizes)]));
  });

  it.each([...known])('%s shrinks slowly, and not before the need has been lower for its window', (_, rule) => {
    const { sizes, removed } = simulated(rule, 'burst');
    const shrinks = sizes.flatMap((size, at) =>
      at > 0 && size < sizes[at - 1]! ? [{ at, by: sizes[at - 1]! - size }] : [],
    );
    const [first] = shrinks;
    expect(removed).toBe(Math.max(...sizes) - rule.least);
    expect(first!.at - LOADS.burst.length).toBeGreaterThan(rule.behavior.scaleDown.stabilizationWindowSeconds);
    // KEDA stops all pods at once when nothing has been needed for as long.
    const slow = rule.least === 0 ? shrinks.slice(0, -1) : shrinks;
    for (const [index, { at, by }] of slow.entries()) {
      expect(by).toBe(1);
      if (index > 0) expect(at - slow[index - 1]!.at).toBeGreaterThanOrEqual(MINUTE);
    }
  });

  it('cuts executions that take longer than the time to drain, and only those', () => {
    const [rule] = known.values();
    // Every hundredth takes an hour.
    const cut = simulated(rule!, 'ramp', { secondsOf: (number) => (number % 100 === 0 ? 3600 : shortSeconds(number)) });
    expect(cut.cut).toBeGreaterThan(0);
    expect(cut.finished + cut.cut).toBe(cut.arrived);
    expect(cut.cut).toBeLessThanOrEqual(Math.ceil(cut.arrived / 100));
  });
});

describe.each(LOAD_NAMES)('The simulation of a pool of a fixed size, compared with the recorded levels: %s', (load) => {
  it.each(['waiting', 'active', 'ageSeconds'] as const)('computes %s', (level) => {
    const { slots, changes } = recordedLevels(load);
    const { levels } = simulatePool({ ...fixedPool(slots), arrivals: LOADS[load], secondsOf: shortSeconds });
    const differences = changes.flatMap(([at, waiting]) => {
      // Whether a few executions wait, or none, decides about the age.
      if (level === 'ageSeconds' && waiting <= 5) return [];
      const recorded = levelsAt({ slots, changes }, at)[level];
      // Executions arrive and end within a second, and what is recorded was measured some time before.
      const around = [-2, -1, 0, 1].map((by) => (levels[Math.floor(at) + by] ?? NONE)[level]);
      const difference = Math.max(Math.min(...around) - recorded, recorded - Math.max(...around));
      return difference > 5 + 0.05 * recorded ? [{ at, recorded, around }] : [];
    });
    expect(changes.length).toBeGreaterThan(50);
    expect(differences).toEqual([]);
  });
});

const NONE: PoolLevels = { waiting: 0, active: 0, ageSeconds: 0 };

/** One action runner that is never stopped. */
const fixedPool = (slots: number) => ({
  slots,
  drainSeconds: DRAIN_SECONDS,
  rule: {
    ...{ least: 1, most: 1, slots, waitSeconds: 30, cooldownSeconds: 0 },
    behavior: {
      scaleUp: { stabilizationWindowSeconds: 0, policies: [] },
      scaleDown: { stabilizationWindowSeconds: 0, policies: [] },
    },
  },
});
