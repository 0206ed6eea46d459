import type { Id, Micros } from '@switchyard/base';
import { isTerminal } from '@switchyard/model';
import type { Relative, SharedReads } from './shared-reads';

/** An execution of a family, with the position up to which it was sent to a reader. */
export interface Member {
  readonly id: Id;
  readonly parent: Id | undefined;
  readonly begunAt: Micros;
  /** Number of entries of its log that were sent. */
  entries: number;
  /** Sequence number of the last chunk of its output that was sent. */
  position: number;
}

/** An execution and everything below it that a reader may see. What is below a hidden execution is hidden as well. */
export interface FamilyMembers {
  /** @returns undefined when the execution is not in the family */
  find(id: Id): Promise<Member | undefined>;
  /** Members that may have unsent news. Finds all new members as well. */
  untold(): Promise<Member[]>;
  /** Some members and their ancestors, each once and after its ancestors. */
  withThoseAbove(ids: Iterable<Id>): Member[];
}

/** Parents whose children are read with one query. */
const TOGETHER = 200;
/** The number of cached executions outside of the family, or hidden ones. */
const MOST_STRANGERS = 10_000;

/** @param isVisible whether the reader may see an execution below the root */
export function familyMembers(
  reads: Pick<SharedReads, 'relative' | 'children'>,
  root: Id,
  isVisible: (relative: Relative) => Promise<boolean>,
): FamilyMembers {
  const members = new Map<Id, Member>([[root, newMember(root, undefined, 0)]]);
  const strangers = new Set<Id>();

  const join = ({ _id: id, parent, start_timestamp: begunAt }: Relative): Member => {
    const member = members.get(id) ?? newMember(id, parent, begunAt);
    members.set(id, member);
    return member;
  };
  const find = async (id: Id): Promise<Member | undefined> => {
    const known = members.get(id);
    if (known || strangers.has(id)) return known;
    const record = await reads.relative(id);
    if (record?.parent !== undefined && (await find(record.parent)) && (await isVisible(record))) return join(record);
    if (strangers.size >= MOST_STRANGERS) strangers.clear();
    strangers.add(id);
    return undefined;
  };
  const below = async (parents: readonly Id[]): Promise<Relative[]> => {
    const children: Relative[] = [];
    for (let at = 0; at < parents.length; at += TOGETHER)
      for (const child of await reads.children(parents.slice(at, at + TOGETHER)))
        if (await isVisible(child)) children.push(child);
    return children;
  };
  return {
    find,
    async untold() {
      const untold = [members.get(root)!];
      for (let parents = [root]; parents.length > 0;) {
        const children = await below(parents);
        for (const child of children) {
          const member = join(child);
          if (isUntold(child, member)) untold.push(member);
        }
        parents = children.filter(({ has_children }) => has_children).map(({ _id }) => _id);
      }
      return untold;
    },
    withThoseAbove(ids) {
      const found = new Set<Member>();
      for (const id of ids)
        for (let member = members.get(id); member; member = members.get(member.parent ?? '')) found.add(member);
      return [...found].reverse();
    },
  };
}

const newMember = (id: Id, parent: Id | undefined, begunAt: Micros): Member => ({
  id,
  parent,
  begunAt,
  entries: 0,
  position: 0,
});

/** A member may have unsent output until its end is sent: output does not show in the record. */
const isUntold = ({ log }: Relative, { entries }: Member): boolean =>
  entries < log.length || !isTerminal(log.at(-1)!.status);
