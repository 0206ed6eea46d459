import { isNotFound } from '@switchyard/client';
import type { Printer } from '../output/printer';
import { exitCodes } from '../exit-codes';
import type { CommandContext } from './command-context';

/** Reads several things. Those that do not exist are named on stderr and make the command fail; the others are shown. */
export async function getEach<T>(
  { terminal }: Pick<CommandContext, 'terminal'>,
  kind: string,
  ids: readonly string[],
  get: (id: string) => Promise<T>,
  shown: (id: string) => string = (id) => id,
): Promise<{ found: T[]; exitCode: number }> {
  const found: T[] = [];
  for (const id of ids) {
    try {
      found.push(await get(id));
    } catch (error) {
      if (!isNotFound(error)) throw error;
      terminal.stderr.write(`ERROR: ${kind} "${shown(id)}" is not found.\n`);
    }
  }
  return { found, exitCode: found.length === ids.length ? exitCodes.ok.code : exitCodes.failed.code };
}

/** The outcome of an operation without a record to show: one document in JSON or YAML, else a sentence. */
export async function tell(printer: Printer, sentence: string, facts: Record<string, unknown>): Promise<void> {
  if (printer.format) await printer.document(facts);
  else printer.line(sentence);
}
