import type { Manifest } from './chart';
import type { PoolLevels } from './recorded-levels';

/** How the chart scales a pool: the parts of a ScaledObject or a HorizontalPodAutoscaler that decide about its size. */
export interface ScalingRule {
  /** 0: KEDA starts the first pod, and stops all of them once nothing is needed. */
  readonly least: number;
  readonly most: number;
  /** Slots that are needed for each pod, and seconds of waiting for each pod. */
  readonly slots: number;
  readonly waitSeconds: number;
  readonly behavior: Behavior;
  /** Of KEDA: how long nothing may be needed before all pods stop. */
  readonly cooldownSeconds: number;
}

interface Behavior {
  readonly scaleUp: Direction;
  readonly scaleDown: Direction;
}

interface Direction {
  readonly stabilizationWindowSeconds: number;
  readonly policies: readonly { readonly type: string; readonly value: number; readonly periodSeconds: number }[];
}

/** The parts of a ScaledObject that are read here. */
interface ScaledObjectSpec {
  readonly minReplicaCount: number;
  readonly maxReplicaCount: number;
  readonly cooldownPeriod: number;
  readonly advanced: { readonly horizontalPodAutoscalerConfig: { readonly behavior: Behavior } };
  readonly triggers: readonly { readonly metadata: { readonly query: string; readonly threshold: string } }[];
}

interface AutoscalerSpec {
  readonly minReplicas: number;
  readonly maxReplicas: number;
  readonly behavior: Behavior;
  readonly metrics: readonly {
    readonly external: {
      readonly metric: { readonly name: string };
      readonly target: { readonly averageValue: string };
    };
  }[];
}

/** @throws Error if a metric is missing */
export function ruleOf({ kind, spec }: Manifest): ScalingRule {
  if (kind === 'HorizontalPodAutoscaler') {
    const { minReplicas, maxReplicas, behavior, metrics } = spec as AutoscalerSpec;
    const targets = metrics.map(({ external: { metric, target } }) => [metric.name, target.averageValue] as const);
    return { least: minReplicas, most: maxReplicas, behavior, cooldownSeconds: 0, ...targetsOf(targets) };
  }
  const { minReplicaCount, maxReplicaCount, cooldownPeriod, advanced, triggers } = spec as ScaledObjectSpec;
  return {
    least: minReplicaCount,
    most: maxReplicaCount,
    behavior: advanced.horizontalPodAutoscalerConfig.behavior,
    cooldownSeconds: cooldownPeriod,
    ...targetsOf(triggers.map(({ metadata: { query, threshold } }) => [query, threshold])),
  };
}

function targetsOf(targets: readonly (readonly [text: string, target: string])[]) {
  const of = (metric: string) => {
    const found = targets.find(([text]) => text.includes(metric));
    if (!found) throw new Error(`there is no target for ${metric} among ${JSON.stringify(targets)}`);
    return Number(found[1]);
  };
  return { slots: of(targets.some(([text]) => text.includes('slots_needed')) ? 'slots_needed' : 'svc_pool_active'), waitSeconds: of('waiting_age') }; // oxfmt-ignore
}

/** Within this part of the target, the size stays as it is. */
const TOLERANCE = 0.1;

/**
 * The size of a pool, as the HorizontalPodAutoscaler of Kubernetes computes it (external metrics of type AverageValue, a
 * stabilization window, policies), with KEDA for the way from 0 and to 0.
 */
export class Autoscaler {
  #recommended: { readonly at: number; readonly pods: number }[] = [];
  #changes: { readonly at: number; readonly by: number }[] = [];
  #neededAt = 0;

  constructor(private readonly rule: ScalingRule) {}

  /** @returns the number of pods that there should be now @param at in seconds */
  decide(at: number, { waiting, active, ageSeconds }: PoolLevels, pods: number): number {
    const { least, most, slots, waitSeconds } = this.rule;
    const needed = waiting + active;
    if (needed > 0) this.#neededAt = at;
    if (pods === 0) return this.#change(at, needed > 0 ? 1 : 0);
    if (least === 0 && at - this.#neededAt >= this.rule.cooldownSeconds) return pods + this.#change(at, -pods);
    const wanted = Math.max(wantedFor(needed, slots, pods), wantedFor(ageSeconds, waitSeconds, pods));
    const bounded = Math.min(most, Math.max(1, least, wanted));
    return pods + this.#change(at, this.#limited(at, this.#stable(at, bounded, pods), pods) - pods);
  }

  /** The pool shrinks to the largest size that was recommended within the window, and grows at once. */
  #stable(at: number, pods: number, now: number): number {
    const windowSeconds = this.rule.behavior.scaleDown.stabilizationWindowSeconds;
    this.#recommended = [...this.#recommended.filter((each) => at - each.at < windowSeconds), { at, pods }];
    return pods >= now ? pods : Math.min(now, Math.max(...this.#recommended.map((each) => each.pods)));
  }

  #limited(at: number, wanted: number, now: number): number {
    const { scaleUp, scaleDown } = this.rule.behavior;
    if (wanted > now) return Math.min(wanted, Math.max(...scaleUp.policies.map((policy) => this.#bound(at, policy, now, 1)))); // oxfmt-ignore
    if (wanted < now) return Math.max(wanted, Math.min(...scaleDown.policies.map((policy) => this.#bound(at, policy, now, -1)))); // oxfmt-ignore
    return now;
  }

  /** The size that a policy allows, counted from the size at the beginning of its period. */
  #bound(at: number, { type, value, periodSeconds }: Direction['policies'][number], now: number, sign: 1 | -1): number {
    const lately = this.#changes.filter((each) => at - each.at < periodSeconds);
    const before = now - lately.reduce((sum, { by }) => sum + (Math.sign(by) === sign ? by : 0), 0);
    return before + sign * (type === 'Percent' ? Math.ceil((before * value) / 100) : value);
  }

  #change(at: number, by: number): number {
    if (by !== 0) this.#changes.push({ at, by });
    return by;
  }
}

function wantedFor(total: number, target: number, pods: number): number {
  const ratio = total / (target * pods);
  return Math.abs(ratio - 1) <= TOLERANCE ? pods : Math.ceil(total / target);
}
