import type { Config } from '@switchyard/config';
import { shareOwner, shareParts, type Share } from '@switchyard/model';
import type { SharePath } from './turns';

/** The path to a queue, with the weights from the options: the user, then direct requests or workflows. */
export type PathOf = (share: Share) => SharePath;

/** Only records of earlier versions lack it; they are treated like those of one more user. */
export const NO_SHARE = '';

export function createPaths({ scheduler }: Pick<Config, 'scheduler'>): PathOf {
  const weights = new Map(
    Object.entries(scheduler.user_weights).map(([user, weight]) => [shareOwner(user), Number(weight)]),
  );
  return (share) => {
    const { owner, root } = shareParts(share);
    const user = { key: owner, weight: weights.get(owner) ?? 1 };
    if (root === undefined) return [user, { key: 'interactive', weight: scheduler.interactive_weight }];
    return [user, { key: 'bulk', weight: 1 }, { key: root, weight: 1 }];
  };
}
