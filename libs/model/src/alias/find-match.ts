import { fault, type Fault } from '@switchyard/base';
import type { WrittenFormat } from './alias-formats';
import { matchAlias, type MatchedAlias } from './match-alias';

/** The parts of an alias used for a match. */
export interface MatchSource {
  readonly formats: readonly WrittenFormat[];
}

export interface FoundMatch<A extends MatchSource> extends MatchedAlias {
  readonly alias: A;
}

/**
 * Finds the only alias and pattern that match a command. Formats for several executions are tried if no other one matches.
 * @param aliases enabled aliases
 * @param problem receives each pattern that is invalid or too slow; it is skipped
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
