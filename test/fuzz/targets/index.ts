import type { FuzzTarget } from '../fuzz-target';
import { aliasTarget } from './alias-target';
import { criteriaTarget } from './criteria-target';
import { mixedTarget, yaqlTarget } from './expression-targets';
import { jinjaTarget } from './jinja-target';
import { workflowTarget } from './workflow-target';

export const FUZZ_TARGETS: readonly FuzzTarget[] = [
  yaqlTarget,
  jinjaTarget,
  mixedTarget,
  workflowTarget,
  aliasTarget,
  criteriaTarget,
];

/** @throws Error that lists the known targets */
export function fuzzTarget(name: string): FuzzTarget {
  const found = FUZZ_TARGETS.find((target) => target.name === name);
  if (found) return found;
  throw new Error(`There is no target "${name}"; there are ${FUZZ_TARGETS.map((target) => target.name).join(', ')}.`);
}
