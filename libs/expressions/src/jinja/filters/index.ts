import type { Operations } from '../run/operation';
import { dataFilters } from './data-filters';
import { decryptFilter } from './decrypt-filter';
import { numberFilters } from './number-filters';
import { pathFilters } from './path-filters';
import { regexFilters } from './regex-filters';
import { selectionFilters } from './selection-filters';
import { sequenceFilters } from './sequence-filters';
import { textFilters } from './text-filters';
import { valueFilters } from './value-filters';
import { versionFilters } from './version-filters';

/** Jinja2's own filters and those that the interface adds. */
export const FILTERS: Operations = {
  ...textFilters,
  ...sequenceFilters,
  ...selectionFilters,
  ...numberFilters,
  ...valueFilters,
  ...dataFilters,
  ...regexFilters,
  ...versionFilters,
  ...pathFilters,
  ...decryptFilter,
};
