import { median } from './measurement';

/** The processor time that the parts of a system use while a number of its action runners work, or wait for work. */
export interface Stretch {
  readonly runners: number;
  /** Executions per second; 0 for a system without work. */
  readonly rate: number;
  /** Cores in use, on average, by part: the services, the store and the broker. */
  readonly cores: ReadonlyMap<string, number>;
}

/** Cores in use are `fixed + perRunner × runners + perExecution × executions per second`. */
export interface PartCost {
  readonly fixed: number;
  readonly perRunner: number;
  readonly perExecution: number;
}

export type Costs = ReadonlyMap<string, PartCost>;

/**
 * Fits the cost of each part. What a runner costs without work comes from the idle stretches: under load the rate grows with the number of
 * runners, so the two could not be told apart. The cost of an execution is the median of what is left.
 * @param idle with different numbers of runners
 */
export function fitCosts(idle: readonly Stretch[], loaded: readonly Stretch[]): Costs {
  const parts = new Set([...idle, ...loaded].flatMap(({ cores }) => [...cores.keys()]));
  return new Map([...parts].map((part) => [part, costOf(part, idle, loaded)]));
}

function costOf(part: string, idle: readonly Stretch[], loaded: readonly Stretch[]): PartCost {
  const used = ({ cores }: Stretch) => cores.get(part) ?? 0;
  const points = idle.map((each): [number, number] => [each.runners, used(each)]);
  // Less with more runners is chance.
  const perRunner = Math.max(0, slopeOf(points));
  const fixed = Math.max(0, meanOf(points.map(([runners, cores]) => cores - perRunner * runners)));
  const left = loaded.map((each) => (used(each) - fixed - perRunner * each.runners) / each.rate);
  return { fixed, perRunner, perExecution: Math.max(0, median(left)) };
}

/** Of the line with the least squares. */
function slopeOf(points: readonly (readonly [number, number])[]): number {
  const [x, y] = [meanOf(points.map(([each]) => each)), meanOf(points.map(([, each]) => each))];
  const above = points.reduce((sum, [px, py]) => sum + (px - x) * (py - y), 0);
  const below = points.reduce((sum, [px]) => sum + (px - x) ** 2, 0);
  return below === 0 ? 0 : above / below;
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

export interface Installation {
  readonly runners: number;
  /** Executions that each runner finishes per second if nothing else limits it. */
  readonly ratePerRunner: number;
  /** The cores that each part may use. Action runners have those of all their processes. */
  readonly coresOf: (part: string) => number;
}

export interface Prediction {
  /** Executions per second that the slots of the runners allow. */
  readonly wanted: number;
  /** Executions per second at which each part has no cores left. */
  readonly limits: ReadonlyMap<string, number>;
  /** The lowest of these limits, and the part that it belongs to. */
  readonly limit: number;
  readonly limitedBy: string;
}

/** What an installation could do, and which part limits it first. */
export function predict(costs: Costs, { runners, ratePerRunner, coresOf }: Installation): Prediction {
  const limits = new Map<string, number>();
  for (const [part, { fixed, perRunner, perExecution }] of costs) {
    const left = Math.max(0, coresOf(part) - fixed - perRunner * runners);
    limits.set(part, perExecution === 0 ? Infinity : left / perExecution);
  }
  const [limitedBy, limit] = [...limits].sort(([, a], [, b]) => a - b)[0] ?? ['nothing', Infinity];
  return { wanted: runners * ratePerRunner, limits, limit, limitedBy };
}
