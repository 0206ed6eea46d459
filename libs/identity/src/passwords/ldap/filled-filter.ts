import type { Filter } from 'ldapts';
import { ldapts } from './ldapts';

/** A filter from a pattern with placeholders such as `{username}`. Values are escaped, so they cannot change the filter. */
export const filledFilter = (pattern: string, values: Readonly<Record<string, string>>): Filter =>
  ldapts().FilterParser.parseString(
    pattern.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
      const value = values[name];
      return value === undefined ? placeholder : ldapts().Filter.escape(value);
    }),
  );
