import { createHash } from 'node:crypto';

/**
 * Which of several containers a sensor falls to: the one whose mark for it is the greatest. When a container comes or goes,
 * only sensors that fall to it, or fell to it, move. Everybody who knows the same containers gives the same answer.
 */
export const chosenFor = (ref: string, containers: readonly string[]): string | undefined =>
  containers
    .map((container) => ({ container, mark: markOf(container, ref) }))
    .reduce<{ container: string; mark: string } | undefined>(
      (best, each) => (best && best.mark >= each.mark ? best : each),
      undefined,
    )?.container;

const markOf = (container: string, ref: string): string =>
  createHash('sha256').update(`${container} ${ref}`).digest('hex');
