/** The styles in which a text can be written, in block context; double quotes are always possible. */
export interface TextStyles {
  readonly plain: boolean;
  readonly singleQuoted: boolean;
}

/** Characters that libyaml does not write as they are: controls with tabs, byte order marks, and all beyond U+FFFF. */
export const UNPRINTABLE = /[^\n -~\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;
const NOT_ASCII = /[^\x00-\x7f]/;

const BREAK = '[\\n\\r\\x85\\u2028\\u2029]';
const BLANK = '[ \\t\\n\\r\\x85\\u2028\\u2029\\0]';
const HAS_BREAK = new RegExp(BREAK);
const BLANK_AT_END = new RegExp(`^(?: |${BREAK})|(?: |${BREAK})$`);
const BREAK_SPACE = new RegExp(`${BREAK} `);
const SPACE_BREAK = new RegExp(` ${BREAK}`);
/** A text that begins like this, or has a comment or a key in it, would not be read as a text. */
const INDICATORS = new RegExp(`^(?:---|\\.\\.\\.|[#,[\\]{}&*!|>'"%@\`]|[-?:](?=${BLANK}|$))|${BLANK}#|:(?=${BLANK}|$)`);

/** Which styles libyaml allows for a text. */
export function analyseText(text: string, unicode: boolean): TextStyles {
  const special = UNPRINTABLE.test(text) || (!unicode && NOT_ASCII.test(text)) || SPACE_BREAK.test(text);
  const singleQuoted = !special && !BREAK_SPACE.test(text);
  const plain = singleQuoted && !BLANK_AT_END.test(text) && !HAS_BREAK.test(text) && !INDICATORS.test(text);
  return { plain, singleQuoted };
}
