import type { CheckedArchive, ImportedCollection } from '@switchyard/storage/transfer';
import type { Printer } from '../output/printer';

/** Shows the contents of an archive as a table or as one document. */
export async function showArchive(
  printer: Printer,
  { head, manifest }: Pick<CheckedArchive, 'head' | 'manifest'>,
): Promise<void> {
  if (printer.format) return printer.document({ ...head, ...manifest });
  const rows = Object.entries({ ...manifest.collections, files: manifest.files }).map(([name, count]) => ({
    name,
    ...count,
  }));
  await printer.list(rows, ['name', 'records', 'bytes', 'sha256']);
}

/** Shows what an import has written, without empty collections. */
export async function showImport(printer: Printer, imported: readonly ImportedCollection[]): Promise<void> {
  const rows = imported.map(({ collection, part, count, isVerified }) => ({
    ...{ name: collection, part },
    ...count,
    verified: isVerified,
  }));
  const shown = printer.format ? rows : rows.filter(({ records, verified }) => records > 0 || !verified);
  await printer.list(shown, ['name', 'part', 'records', 'bytes', 'sha256', 'verified']);
}
