import { readTime } from '@switchyard/http';
import type { Filter } from '@switchyard/storage';

/** A condition on a time: after one moment, before another one, or both. @throws Fault `request.time` */
export function timeRange(field: string, after: string | undefined, before: string | undefined): Filter {
  if (after === undefined && before === undefined) return {};
  return {
    [field]: {
      ...(after === undefined ? {} : { $gt: readTime(after) }),
      ...(before === undefined ? {} : { $lt: readTime(before) }),
    },
  };
}
