import { InvalidArgumentError, type Command } from 'commander';
import type { DisplayOptions } from '../output/printer';
import type { GivenCredentials } from '../session';

/** What every command about resources takes. */
export type CommonOptions = GivenCredentials & DisplayOptions;

export const withCredentials = (command: Command): Command =>
  command.option('-t, --token <token>', 'access token of this call').option('--api-key <key>', 'API key of this call');

export const withFormats = (command: Command): Command =>
  command.option('-j, --json', 'print JSON').option('-y, --yaml', 'print YAML');

/** For commands that print a table. `-a` means the same as `--attr`. */
export const withColumns = (command: Command): Command =>
  command.option('-a, --attr <names>', ATTRIBUTES, names).option('-w, --width <columns>', WIDTHS, widths);

const ATTRIBUTES = 'attributes to show, such as id status; "all" for every one';
const WIDTHS = 'widths of the table columns';

export const withDisplay = (command: Command): Command => withColumns(withFormats(withCredentials(command)));

/** Where a command starts something, `-a` is `--async`. */
export const withRunDisplay = (command: Command): Command =>
  withFormats(withCredentials(command))
    .option('--attr <names>', ATTRIBUTES, names)
    .option('-w, --width <columns>', WIDTHS, widths);

/** A list option: words, or commas between them; given again, it adds. */
export const names = (text: string, before: string[] | undefined): string[] => [
  ...(before ?? []),
  ...text.split(',').filter((name) => name !== ''),
];

function widths(text: string, before: number[] | undefined): number[] {
  return [...(before ?? []), ...text.split(',').map((word) => wholeNumber(1)(word))];
}

/** A whole number that is not below `minimum`. */
export const wholeNumber =
  (minimum: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^[+-]?\d+$/.test(text) && value >= minimum) return value;
    throw new InvalidArgumentError(`A whole number of at least ${minimum} is expected.`);
  };
