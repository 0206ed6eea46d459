import { ruleOf, type ScalingRule } from './autoscaling-rule';
import { hasHelm, ofKind, render, RELEASE, valuesIn } from './chart';
import { simulatePool, type Simulated } from './pool-simulation';

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

/** Executions that arrive in each second. */
const LOADS: Readonly<Record<string, readonly number[]>> = {
  // An alert storm: 1,200 executions in a minute, and nothing before and after.
  burst: [...Array<number>(2 * MINUTE).fill(0), ...Array<number>(MINUTE).fill(20)],
  // From nothing to one execution a second in 20 minutes, and back.
  ramp: Array.from({ length: 40 * MINUTE }, (_, at) => {
    const level = Math.min(at, 40 * MINUTE - at) / MINUTE;
    return at % 10 < level / 2 ? 1 : 0;
  }),
  // A job every four minutes: one minute of work, three of nothing.
  flapping: Array.from({ length: 60 * MINUTE }, (_, at) => (at % (4 * MINUTE) < MINUTE ? 2 : 0)),
};

/** From 1 to 60 seconds, in no order. */
const shortSeconds = (number: number): number => 1 + ((number * 37) % 60);

const simulated = (rule: ScalingRule, load: string, secondsOf = shortSeconds): Simulated =>
  simulatePool({ rule, slots: SLOTS, drainSeconds: DRAIN_SECONDS, arrivals: LOADS[load]!, secondsOf });

const canRender = hasHelm();
const described = canRender ? describe : describe.skip;

described('The autoscaling of pools, simulated with the rules of the chart', () => {
  const known = canRender ? rules() : new Map<string, ScalingRule>();
  const all = [...known].flatMap(([name, rule]) => Object.keys(LOADS).map((load) => ({ name, load, rule })));

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

  it.each([...known])('%s keeps its size while the need comes back within the window', (_, rule) => {
    const { sizes } = simulated(rule, 'flapping');
    const grown = sizes.indexOf(Math.max(...sizes));
    const duringLoad = sizes.slice(grown, LOADS['flapping']!.length);
    expect(new Set(duringLoad)).toEqual(new Set([Math.max(...sizes)]));
  });

  it.each([...known])('%s shrinks slowly, and not before the need has been lower for its window', (_, rule) => {
    const { sizes, removed } = simulated(rule, 'burst');
    const shrinks = sizes.flatMap((size, at) =>
      at > 0 && size < sizes[at - 1]! ? [{ at, by: sizes[at - 1]! - size }] : [],
    );
    const [first] = shrinks;
    expect(removed).toBe(Math.max(...sizes) - rule.least);
    expect(first!.at - LOADS['burst']!.length).toBeGreaterThan(rule.behavior.scaleDown.stabilizationWindowSeconds);
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
    const cut = simulated(rule!, 'ramp', (number) => (number % 100 === 0 ? 3600 : shortSeconds(number)));
    expect(cut.cut).toBeGreaterThan(0);
    expect(cut.finished + cut.cut).toBe(cut.arrived);
    expect(cut.cut).toBeLessThanOrEqual(Math.ceil(cut.arrived / 100));
  });
});
