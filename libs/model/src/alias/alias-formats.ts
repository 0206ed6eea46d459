/** A format as it is written in an alias: a text is help and pattern in one. */
export type WrittenFormat =
  | string
  | {
      /** What help shows. */
      readonly display?: string;
      /** The patterns; without any, the format is help only. */
      readonly representation?: readonly string[] | string;
      /** Each place of a command that fits is a run of its own. */
      readonly match_multiple?: boolean;
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
  const { display, representation = [], match_multiple: multiple = false } = written;
  return {
    display,
    representations: typeof representation === 'string' ? [representation] : representation,
    multiple,
  };
}
