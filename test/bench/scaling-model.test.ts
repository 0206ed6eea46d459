import { fitCosts, predict, type Stretch } from './scaling-model';

const stretch = (runners: number, rate: number, cores: Record<string, number>): Stretch => ({
  runners,
  rate,
  cores: new Map(Object.entries(cores)),
});

/** A scheduler that costs 1 % of a core, 0.1 % for each runner and 1 ms for each execution, and runners that cost 0.5 % and 2 ms. */
const system = (runners: number, rate: number) =>
  stretch(runners, rate, {
    scheduler: 0.01 + 0.001 * runners + 0.001 * rate,
    'action-runner': 0.005 * runners + 0.002 * rate,
  });

describe('the model of a larger installation', () => {
  const costs = fitCosts([system(1, 0), system(4, 0)], [system(1, 20), system(2, 40), system(4, 80)]);

  it('finds the cost of a part, of a runner and of an execution', () => {
    expect(costs.get('scheduler')?.fixed).toBeCloseTo(0.01);
    expect(costs.get('scheduler')?.perRunner).toBeCloseTo(0.001);
    expect(costs.get('scheduler')?.perExecution).toBeCloseTo(0.001);
    expect(costs.get('action-runner')?.fixed).toBeCloseTo(0);
    expect(costs.get('action-runner')?.perExecution).toBeCloseTo(0.002);
  });

  it('names the part that has no cores left first, and the rate at which that happens', () => {
    const coresOf = (part: string) => (part === 'action-runner' ? 10 : 1);
    const few = predict(costs, { runners: 10, ratePerRunner: 20, coresOf });
    expect(few.wanted).toBe(200);
    expect(few.limits.get('action-runner')).toBeCloseTo(4975);
    expect(few.limitedBy).toBe('scheduler');
    expect(few.limit).toBeCloseTo(980);
  });

  it('limits nothing by a part that costs nothing for an execution', () => {
    const idle = fitCosts([stretch(1, 0, { auth: 0.01 })], [stretch(1, 20, { auth: 0.01 })]);
    expect(predict(idle, { runners: 10, ratePerRunner: 20, coresOf: () => 1 }).limit).toBe(Infinity);
  });

  it('takes a cost that shrinks with more runners for chance', () => {
    const falling = fitCosts([stretch(1, 0, { store: 0.04 }), stretch(4, 0, { store: 0.01 })], [stretch(1, 10, { store: 0.1 })]); // oxfmt-ignore
    expect(falling.get('store')?.perRunner).toBe(0);
  });
});
