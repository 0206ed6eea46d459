import { boundedText, excessText, findExcess, keptAsText, type DataLimits } from '@switchyard/base';

/** Results have some levels around the values that limits are about: hosts, tasks, items. */
const OWN_LEVELS = 8;

/**
 * A result as it may be stored: a member beyond a limit becomes its JSON text with a note. Runners keep what they read within
 * limits; this is for what workflows, callers and expressions put together.
 */
export function boundedResult(result: Record<string, unknown>, limits: DataLimits): Record<string, unknown> {
  const roomy = { ...limits, maxDepth: limits.maxDepth + OWN_LEVELS };
  const bounded = Object.entries(result).map(([key, member]) => [key, boundedMember(member, roomy)] as const);
  return bounded.every(([key, member]) => member === result[key]) ? result : Object.fromEntries(bounded);
}

function boundedMember(member: unknown, limits: DataLimits): unknown {
  if (typeof member === 'string') return boundedText(member, limits);
  const excess = findExcess(member, limits);
  return excess ? keptAsText(textOf(member), excessText(excess), limits) : member;
}

/** Nothing when it is nested so deep that it has no text either. */
function textOf(member: unknown): string {
  try {
    return JSON.stringify(member);
  } catch {
    return '';
  }
}
