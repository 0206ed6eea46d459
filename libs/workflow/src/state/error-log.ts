import type { DirtyDocuments } from './dirty';
import type { ErrorDocument, ErrorEntry } from './documents';
import type { Journal } from './journal';

/** What went wrong, in order; the same is noted once. */
export class ErrorLog {
  private readonly documents = new Map<string, ErrorDocument>();

  constructor(
    private readonly journal: Journal,
    private readonly dirty: DirtyDocuments,
  ) {}

  /** Oldest first. */
  get entries(): ErrorEntry[] {
    return [...this.documents.values()].map(({ entry }) => entry);
  }

  /** @param nextIndex gives the number for an entry that is new */
  add(entry: ErrorEntry, nextIndex: () => number): void {
    const text = JSON.stringify(entry);
    if (this.documents.has(text)) return;
    const index = nextIndex();
    const document: ErrorDocument = { kind: 'error', key: `error/${index}`, index, entry };
    this.journal.put(this.documents, text, document);
    this.dirty.put(document, true);
  }

  forget(which: (entry: ErrorEntry) => boolean): void {
    for (const [text, document] of [...this.documents]) {
      if (!which(document.entry)) continue;
      this.journal.remove(this.documents, text);
      this.dirty.remove(document.key);
    }
  }

  restore(document: ErrorDocument): void {
    this.documents.set(JSON.stringify(document.entry), document);
  }
}
