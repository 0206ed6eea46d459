import { isNotFound, type ListPage } from '@switchyard/client';
import { exitCodes } from '../exit-codes';
import type { Printer } from '../output/printer';
import type { CommandContext } from './command-context';

/** Reads several records. Reports missing ones on stderr and makes the command fail, but returns the others. */
export async function getEach<T>(
  context: Pick<CommandContext, 'terminal' | 'exitCode'>,
  title: string,
  ids: readonly string[],
  get: (id: string) => Promise<T>,
  shown: (id: string) => string = (id) => id,
): Promise<T[]> {
  const found: T[] = [];
  for (const id of ids) {
    try {
      found.push(await get(id));
    } catch (error) {
      if (!isNotFound(error)) throw error;
      context.terminal.stderr.write(`ERROR: ${title} "${shown(id)}" is not found.\n`);
    }
  }
  context.exitCode = found.length === ids.length ? exitCodes.ok.code : exitCodes.failed.code;
  return found;
}

/** Prints one page of a list, with a note for people if there are more items. */
export async function showPage(
  printer: Printer,
  { items, total }: ListPage<object>,
  columns: readonly string[],
  noun: string,
  nouns = `${noun}s`,
): Promise<void> {
  await printer.list(items, columns);
  if (printer.format || total === undefined || total <= items.length) return;
  const shown = items.length === 1 ? `one ${noun} is` : `first ${items.length} ${nouns} are`;
  printer.note(`Note: Only ${shown} displayed. Use -n/--last flag for more results.`);
}

/** The attributes to request from the server for these columns; undefined for all. */
export const attributesFor = (asked: readonly string[] | undefined, columns: readonly string[]): string[] | undefined =>
  asked?.includes('all') ? undefined : [...new Set((asked ?? columns).map((path) => path.split(/[.[]/)[0] ?? path))];

/** Reports an operation without a record to show: a document in JSON or YAML, else a sentence. */
export async function tellUser(printer: Printer, sentence: string, facts: Record<string, unknown>): Promise<void> {
  if (printer.format) await printer.document(facts);
  else printer.line(sentence);
}
