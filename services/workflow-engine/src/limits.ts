import { MIB } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import type { Limits } from '@switchyard/workflow';

/** What one run may amount to. */
export const limitsOf = ({ workflow_engine: options }: Config): Limits => ({
  entries: options.max_tasks,
  items: options.max_items,
  publishedBytes: options.max_published_mb * MIB,
});
