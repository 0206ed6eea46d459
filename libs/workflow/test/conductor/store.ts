import {
  Conductor,
  type Changes,
  type HeadDocument,
  type StateDocument,
  type WorkflowSpec,
} from '@switchyard/workflow';

/** Stores the reported changes as texts, as a real store would. */
export class Store {
  private head = '';
  private readonly documents = new Map<string, string>();
  /** How many documents were written, heads included. */
  writes = 0;

  save(conductor: Conductor): Changes | undefined {
    const changes = conductor.takeChanges();
    if (changes === undefined) return undefined;
    this.head = JSON.stringify(changes.head);
    for (const document of changes.put) this.documents.set(document.key, JSON.stringify(document));
    for (const key of changes.removed) this.documents.delete(key);
    this.writes += 1 + changes.put.length + changes.removed.length;
    return changes;
  }

  load(spec: WorkflowSpec): Conductor {
    const documents = [...this.documents.values()].map((text) => JSON.parse(text) as StateDocument);
    return Conductor.restore(spec, { head: JSON.parse(this.head) as HeadDocument, documents });
  }

  keys(): string[] {
    return [...this.documents.keys()];
  }
}
