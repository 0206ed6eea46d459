import { budget } from '../run/budget';
import { type ByContent, CONTENT, hashKey } from './hash-key';

/** A set, in the order of insertion. */
export class SetValue implements Iterable<unknown>, ByContent {
  private readonly members = new Map<unknown, unknown>();

  constructor(members: Iterable<unknown> = []) {
    for (const member of members) this.add(member);
  }

  get size(): number {
    return this.members.size;
  }

  has(member: unknown): boolean {
    return this.members.has(hashKey(member));
  }

  /** Only for the one who makes it. Whether the member was new. */
  add(member: unknown): boolean {
    const hash = hashKey(member);
    if (this.members.has(hash)) return false;
    this.members.set(hash, member);
    budget().element(this.members.size);
    return true;
  }

  delete(member: unknown): void {
    this.members.delete(hashKey(member));
  }

  [Symbol.iterator](): Iterator<unknown> {
    return this.members.values();
  }

  [CONTENT](encode: (inner: unknown) => string): string {
    return membersContent(this, encode);
  }
}

export const membersContent = (members: Iterable<unknown>, encode: (inner: unknown) => string): string =>
  `(${Array.from(members, encode).sort().join()})`;
