/** A format as written in an alias: a text is both help and pattern. Null means an omitted part. */
export type WrittenFormat =
  | string
  | {
      /** The text shown by help. */
      readonly display?: string | null;
      /** The patterns; without any, the format is help only. */
      readonly representation?: readonly string[] | string | null;
      /** Whether each match in a command starts its own execution. */
      readonly match_multiple?: boolean | null;
    };

/** A format with all its parts. */
export interface AliasFormat {
  readonly display: string | undefined;
  readonly representations: readonly string[];
  readonly multiple: boolean;
}

/** The formats of an alias in a uniform structure. */
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
