import { fault, type Id } from '@switchyard/base';
import { shareParts, type ExecutionRecord } from '@switchyard/model';
import type { ExecutionRepository } from '@switchyard/storage';

/** Counts the executions below the root of a tree, in the record of the root. */
export interface TreeCounter {
  /**
   * Call before executions are requested. The count is approximate: it includes requests that a killed process counted
   * but did not store.
   * @param parent an execution of the tree
   * @throws Fault `execution.tree-size` when the tree would exceed its limit; then they are not counted
   */
  add(parent: TreeMember, count: number): Promise<void>;
}

type TreeMember = Pick<ExecutionRecord, '_id' | 'share'>;

export interface TreeCounterDeps {
  executions: Pick<ExecutionRepository, 'change'>;
  /** See `limits.max_tree_size`. */
  most: number;
}

export const createTreeCounter = ({ executions, most }: TreeCounterDeps): TreeCounter => {
  const count = async (root: Id, by: number): Promise<number> =>
    (await executions.change(root, {}, { inc: { tree_size: by } }))?.tree_size ?? 0;
  return {
    async add(parent, more) {
      const root = treeOf(parent);
      if ((await count(root, more)) <= most) return;
      await count(root, -more);
      throw fault('execution.tree-size', { root, most });
    },
  };
};

/** Everything that one request causes is one tree, including what its actions request through the API. */
const treeOf = ({ _id: id, share }: TreeMember): Id => (share === undefined ? undefined : shareParts(share).root) ?? id;
