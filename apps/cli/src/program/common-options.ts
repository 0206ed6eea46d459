import { InvalidArgumentError, Option, type Command } from 'commander';
import type { GivenCredentials } from '../credentials/session';
import type { DisplayOptions } from '../output/printer';

/** The options of every command about resources. */
export type CommonOptions = GivenCredentials & DisplayOptions;

export const withCredentials = (command: Command): Command =>
  command.option('-t, --token <token>', 'Use this access token').addOption(REFUSED_KEY);

/** An option of StackStorm's client, which is rejected with a message that names the alternative. */
const REFUSED_KEY = new Option('--api-key <key>', 'Not supported').hideHelp();

export const withFormats = (command: Command): Command =>
  command.option('-j, --json', 'Print JSON').option('-y, --yaml', 'Print YAML');

/** For commands that print a table. `-a` is short for `--attr`. */
export const withColumns = (command: Command): Command =>
  command.option('-a, --attr <names>', ATTRIBUTES, names).option('-w, --width <columns>', WIDTHS, widths);

const ATTRIBUTES = 'Show these attributes, such as id status; "all" shows every attribute';
const WIDTHS = 'Set the widths of the table columns';

export const withDisplay = (command: Command): Command => withColumns(withFormats(withCredentials(command)));

/** For commands that start an execution, where `-a` is short for `--async`. */
export const withRunDisplay = (command: Command): Command =>
  withFormats(withCredentials(command))
    .option('--attr <names>', ATTRIBUTES, names)
    .option('-w, --width <columns>', WIDTHS, widths);

export const withPack = (command: Command): Command => command.option('-p, --pack <pack>', 'Limit to this pack');

/** The number of items that a list shows: 1 or more, or -1 for all. */
export const withLast = (command: Command): Command =>
  command.option(
    '-n, --last <count>',
    'Show at most this many; -1 for all',
    (text) => (text === '-1' ? -1 : wholeNumberOption(1)(text)),
    50,
  );

/** Parses a list option: words separated by spaces or commas. Repeating the option adds words. */
export const names = (text: string, before: string[] | undefined): string[] => [
  ...(before ?? []),
  ...text.split(',').filter((name) => name !== ''),
];

function widths(text: string, before: number[] | undefined): number[] {
  return [...(before ?? []), ...text.split(',').map((word) => wholeNumberOption(1)(word))];
}

/** A parser for whole numbers that are not below `minimum`. */
export const wholeNumberOption =
  (minimum: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^[+-]?\d+$/.test(text) && value >= minimum) return value;
    throw new InvalidArgumentError(`Expected a whole number of at least ${minimum}.`);
  };
