import { checkPatternLength, fault, isFault, messageOf, type Fault } from '@switchyard/base';
import { aliasFormats, type WrittenFormat } from './alias-formats';
import { compileAliasFormat, type AliasParameters } from './compile-alias-format';

/** A representation that matches a command. */
export interface MatchedAlias {
  readonly display: string | undefined;
  readonly representation: string;
  /** One set of parameters, or several if the format starts several executions from one command. */
  readonly parameters: readonly AliasParameters[];
}

export interface MatchOptions {
  /** Tries the formats with `match_multiple` instead of those without; default false. */
  readonly multiple?: boolean;
  /** Receives each format that is invalid or too slow; it is skipped. */
  readonly problem?: (representation: string, fault: Fault) => void;
}

/** Every representation of an alias's formats that matches a command, in order. */
export function matchAlias(
  formats: readonly WrittenFormat[],
  command: string,
  { multiple = false, problem }: MatchOptions = {},
): MatchedAlias[] {
  return aliasFormats(formats)
    .filter((format) => format.multiple === multiple)
    .flatMap(({ display, representations }) =>
      representations.flatMap((representation) => {
        const parameters = parametersFor(representation, command, multiple, problem);
        return parameters.length > 0 ? [{ display, representation, parameters }] : [];
      }),
    );
}

function parametersFor(representation: string, command: string, multiple: boolean, problem: MatchOptions['problem']) {
  try {
    const format = compileAliasFormat(representation);
    if (multiple) return format.extractAll(command);
    const parameters = format.extract(command);
    return parameters ? [parameters] : [];
  } catch (thrown) {
    const reason = messageOf(thrown);
    problem?.(representation, isFault(thrown) ? thrown : unreadable(representation, reason, thrown));
    return [];
  }
}

const unreadable = (format: string, reason: string, cause: unknown): Fault =>
  fault('alias.invalid-format', { format: format.slice(0, 200), reason }, { cause });

/** @throws fault `alias.invalid-format`, `request.pattern-too-long` for the first invalid pattern */
export function checkAliasFormats(formats: readonly WrittenFormat[], maxPatternLength?: number): void {
  for (const { display, representations } of aliasFormats(formats)) {
    if (display !== undefined) checkPatternLength(display, 'format of the alias', maxPatternLength);
    for (const representation of representations) {
      checkPatternLength(representation, 'format of the alias', maxPatternLength);
      compileAliasFormat(representation);
    }
  }
}
