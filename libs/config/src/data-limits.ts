import type { DataLimits } from '@switchyard/base';
import type { Config } from './config';

/** What `[limits]` says about values. */
export const dataLimits = ({ limits }: Pick<Config, 'limits'>): DataLimits => ({
  maxDepth: limits.max_depth,
  maxMembers: limits.max_members,
  maxKeyLength: limits.max_key_length,
  maxStringLength: limits.max_string_length,
});

/** What `[limits]` says about the expressions of one piece of work. */
export const expressionLimits = ({ limits }: Pick<Config, 'limits'>) => ({
  steps: limits.expression_steps,
  durationMs: limits.expression_ms,
});
