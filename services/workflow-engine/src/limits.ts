import { MIB } from '@switchyard/base';
import { expressionLimits, type Config } from '@switchyard/config';
import type { Limits } from '@switchyard/workflow';

/** More of them are handed out by the same turn, and others have their turn in between. */
const ITEMS_AT_ONCE = 100;

/** What one run may amount to. */
export const limitsOf = ({ workflow_engine: options, limits }: Config): Limits => ({
  entries: options.max_tasks,
  items: options.max_items,
  itemsAtOnce: ITEMS_AT_ONCE,
  publishedBytes: options.max_published_mb * MIB,
  expressions: expressionLimits({ limits }),
});
