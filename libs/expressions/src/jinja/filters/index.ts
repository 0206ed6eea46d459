import type { Operations } from '../run/operation';
import { dataFilters } from './data-filters';
import { decryptFilter, valueFilters } from './value-filters';
import { numberFilters } from './number-filters';
import { pathFilters } from './path-filters';
import { regexFilters } from './regex-filters';
import { selectionFilters } from './selection-filters';
import { sequenceFilters } from './sequence-filters';
import { textFilters } from './text-filters';
import { versionFilters } from './version-filters';

/** Jinja2's filters, and those that the reference adds. */
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
