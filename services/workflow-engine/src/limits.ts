import { MIB } from '@switchyard/base';
import { expressionLimits, type Config } from '@switchyard/config';
import type { Limits } from '@switchyard/workflow';

/** What one run may amount to. */
export const limitsOf = ({ workflow_engine: options, limits }: Config): Limits => ({
  entries: options.max_tasks,
  items: options.max_items,
  publishedBytes: options.max_published_mb * MIB,
  expressions: expressionLimits({ limits }),
});
