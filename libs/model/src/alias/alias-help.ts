import { guardedRegExp } from '../schema/regex';
import { aliasFormats, type WrittenFormat } from './alias-formats';

/** The parts of an alias used for help. */
export interface HelpSource {
  readonly pack: string;
  readonly description?: string | null;
  readonly enabled?: boolean;
  readonly formats: readonly WrittenFormat[];
}

export interface HelpLine {
  readonly pack: string;
  readonly display: string;
  readonly description: string;
}

export interface HelpQuery {
  /** A regular expression to search in the displayed text, ignoring case. */
  readonly filter?: string | undefined;
  readonly pack?: string | undefined;
  /** Default 100; 0 means no limit. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/**
 * The help of enabled aliases: one line for each format with a displayed text.
 * @returns `available` counts all matching lines, `helpstrings` contains one page of them
 * @throws fault `regex.invalid`, `regex.too-slow` for the filter
 */
export function aliasHelp(
  aliases: readonly HelpSource[],
  { filter, pack, limit = 100, offset = 0 }: HelpQuery = {},
): { available: number; helpstrings: HelpLine[] } {
  const pattern = filter ? guardedRegExp(filter, 'i') : undefined;
  const lines = aliases
    .filter((alias) => alias.enabled !== false && (!pack || alias.pack === pack))
    .flatMap(linesOf)
    .filter(({ display }) => pattern?.test(display) ?? true);
  return { available: lines.length, helpstrings: lines.slice(offset, limit > 0 ? offset + limit : undefined) };
}

const linesOf = ({ pack, description, formats }: HelpSource): HelpLine[] =>
  aliasFormats(formats).flatMap(({ display }) => (display ? [{ pack, display, description: description ?? '' }] : []));
