import { fault, type Fault } from '@switchyard/base';
import type { WrittenFormat } from './alias-formats';
import { matchAlias, type AliasMatch } from './match-alias';

/** What a match takes from an alias. */
export interface MatchSource {
  readonly formats: readonly WrittenFormat[];
}

export interface FoundMatch<A extends MatchSource> extends AliasMatch {
  readonly alias: A;
}

/**
 * The one alias, and the one pattern of it, that a command is for. Formats that take several runs from one command are asked
 * when no other one fits.
 * @param aliases enabled ones
 * @param problem told about each pattern that is invalid or too slow; it is passed over
 * @throws fault `alias.no-match`, `alias.matches`, `alias.multiple-matches`
 */
export function findMatch<A extends MatchSource>(
  aliases: readonly A[],
  command: string,
  problem?: (alias: A, representation: string, fault: Fault) => void,
): FoundMatch<A> {
  const asked = (multiple: boolean): FoundMatch<A>[] =>
    aliases.flatMap((alias) => {
      const told = problem && ((representation: string, fault: Fault) => problem(alias, representation, fault));
      const options = { multiple, ...(told ? { problem: told } : {}) };
      return matchAlias(alias.formats, command, options).map((match) => ({ ...match, alias }));
    });
  return (
    onlyOne(asked(false), 'alias.matches', command) ??
    onlyOne(asked(true), 'alias.multiple-matches', command) ??
    refuse(command)
  );
}

function onlyOne<M>(found: readonly M[], code: 'alias.matches' | 'alias.multiple-matches', command: string) {
  if (found.length > 1) throw fault(code, { command });
  return found[0];
}

function refuse(command: string): never {
  throw fault('alias.no-match', { command });
}
