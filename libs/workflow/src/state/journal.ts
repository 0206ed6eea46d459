/**
 * Undoes what a call has changed, so that a call applies as a whole or not at all (I2). Every change of the state is made
 * through it.
 */
export class Journal {
  private readonly undos: (() => void)[] = [];

  /** @param undo takes back a change that has just been made */
  record(undo: () => void): void {
    this.undos.push(undo);
  }

  set<T extends object, K extends keyof T>(target: T, key: K, value: T[K]): void {
    const before = target[key];
    target[key] = value;
    this.undos.push(() => {
      target[key] = before;
    });
  }

  patch<T extends object>(target: T, changes: Partial<T>): void {
    for (const key of Object.keys(changes) as (keyof T)[]) this.set(target, key, changes[key] as T[keyof T]);
  }

  append<T>(list: T[], value: T): void {
    list.push(value);
    this.undos.push(() => list.pop());
  }

  put<K, V>(map: Map<K, V>, key: K, value: V): void {
    const before = map.get(key);
    map.set(key, value);
    this.undos.push(() => (before === undefined ? map.delete(key) : map.set(key, before)));
  }

  remove<K, V>(map: Map<K, V>, key: K): void {
    const before = map.get(key);
    if (before === undefined) return;
    map.delete(key);
    this.undos.push(() => map.set(key, before));
  }

  include<T>(set: Set<T>, value: T): void {
    if (set.has(value)) return;
    set.add(value);
    this.undos.push(() => set.delete(value));
  }

  exclude<T>(set: Set<T>, value: T): void {
    if (set.delete(value)) this.undos.push(() => set.add(value));
  }

  rollback(): void {
    for (let undo = this.undos.pop(); undo !== undefined; undo = this.undos.pop()) undo();
  }

  commit(): void {
    this.undos.length = 0;
  }
}
