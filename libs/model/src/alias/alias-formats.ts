/** A format as it is written in an alias: a text is help and pattern in one. Null stands for a part that is left out. */
export type WrittenFormat =
  | string
  | {
      /** What help shows. */
      readonly display?: string | null;
      /** The patterns; without any, the format is help only. */
      readonly representation?: readonly string[] | string | null;
      /** Each place of a command that fits is a run of its own. */
      readonly match_multiple?: boolean | null;
    };

/** A format with all its parts. */
export interface AliasFormat {
  readonly display: string | undefined;
  readonly representations: readonly string[];
  readonly multiple: boolean;
}

/** The formats of an alias in one form. */
export const aliasFormats = (written: readonly WrittenFormat[]): AliasFormat[] => written.map(aliasFormat);

function aliasFormat(written: WrittenFormat): AliasFormat {
  if (typeof written === 'string') return { display: written, representations: [written], multiple: false };
  const { display, representation, match_multiple: multiple } = written;
  return {
    display: display ?? undefined,
    representations: typeof representation === 'string' ? [representation] : (representation ?? []),
    multiple: multiple ?? false,
  };
}
