import type { Conductor } from '../conductor';
import type { EntryDocument, RouteDocument } from '../state/documents';

/** What a run looked like, collected from what the conductor says has changed. */
export class Performance {
  private readonly entries = new Map<number, EntryDocument>();
  private readonly ways: string[][] = [[]];

  /** To be called after every step. */
  watch(conductor: Conductor): void {
    for (const document of conductor.takeChanges()?.put ?? []) {
      if (document.kind === 'entry') this.entries.set(document.index, document);
      if (document.kind === 'route') this.ways[document.index] = this.wayOf(document);
    }
  }

  /** The index in the sequence of a run of a task. */
  indexOf(task: string, route: number, round: number): number {
    const entry = [...this.entries.values()].find(
      (each) => each.task === task && each.route === route && each.round === round,
    );
    return entry?.index ?? this.entries.size;
  }

  get taskSequence(): string[] {
    return this.inOrder().map(nameOf);
  }

  get routes(): readonly (readonly string[])[] {
    return this.ways;
  }

  /** The tasks with which the run ended, by name. */
  get termTasks(): string[] {
    return this.inOrder()
      .filter(({ terminal }) => terminal)
      .map(nameOf)
      .sort();
  }

  private inOrder(): EntryDocument[] {
    return [...this.entries.values()].sort((a, b) => a.index - b.index);
  }

  private wayOf({ base, by }: RouteDocument): string[] {
    return base < 0 ? [] : [...(this.ways[base] ?? []), by];
  }
}

const nameOf = ({ task, route }: EntryDocument): string => (route === 0 ? task : `${task}__r${route}`);
