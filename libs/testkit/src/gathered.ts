/** Collects items as they happen, and lets a test wait for them without a clock. */
export interface Gathered<T> {
  readonly items: readonly T[];
  add(item: T): void;
  /** Resolves with all items as soon as the condition holds; a number stands for that many items. */
  until(condition: number | ((items: readonly T[]) => boolean)): Promise<readonly T[]>;
}

export function gathered<T>(): Gathered<T> {
  const items: T[] = [];
  const waiting = new Set<() => void>();
  return {
    items,
    add: (item) => {
      items.push(item);
      for (const look of [...waiting]) look();
    },
    until: (condition) =>
      new Promise((resolve) => {
        const holds = typeof condition === 'number' ? () => items.length >= condition : () => condition(items);
        const look = (): void => {
          if (!holds()) return;
          waiting.delete(look);
          resolve(items);
        };
        waiting.add(look);
        look();
      }),
  };
}
