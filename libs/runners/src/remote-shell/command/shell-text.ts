/** A text as one word of a POSIX shell. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Reads one line from standard input, byte by byte as `read` does, and runs it: all that a list of processes shows. */
export const RUN_ONE_LINE = 'IFS= read -r svc_line && eval "$svc_line"';

/**
 * A program for a shell as the one line that `RUN_ONE_LINE` takes. Its line breaks come from the shell's own list of
 * separators: blank, tab, line break, and in some shells more.
 */
export function oneLine(program: string): string {
  const lines = ['unset svc_line svc_nl', ...program.split('\n')];
  const lineBreak = 'svc_nl=${IFS%"${IFS#???}"}; svc_nl=${svc_nl#??}';
  return `${lineBreak}; eval ${lines.map(shellQuote).join('"$svc_nl"')}`;
}
