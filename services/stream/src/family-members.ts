import type { Id, Micros } from '@switchyard/base';
import { isTerminal, type ExecutionRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';

/** An execution of a family, and how much of it a reader has been told. */
export interface Member {
  readonly id: Id;
  readonly parent: Id | undefined;
  readonly begunAt: Micros;
  /** How many entries of its log. */
  entries: number;
  /** The number of the last chunk of its output. */
  position: number;
}

/** An execution and everything below it. */
export interface FamilyMembers {
  /** @returns undefined when the execution is none of the family */
  find(id: Id): Promise<Member | undefined>;
  /** Those that something may have happened to that was not told yet; all of them are known afterwards. */
  untold(): Promise<Member[]>;
  /** Some members with those above them, each once, after those above it. */
  withThoseAbove(ids: Iterable<Id>): Member[];
}

type Executions = Pick<Store['executions'], 'list'>;
type Seen = Pick<ExecutionRecord, '_id' | 'parent' | 'start_timestamp' | 'has_children' | 'log'>;

const FIELDS = ['_id', 'parent', 'start_timestamp', 'has_children', 'log'] as const satisfies (keyof ExecutionRecord)[];
/** So many workflows are asked for their actions at a time. */
const TOGETHER = 200;
/** Others that are remembered as such. */
const MOST_STRANGERS = 10_000;

export function familyMembers(executions: Executions, root: Id): FamilyMembers {
  const members = new Map<Id, Member>([[root, newMember(root, undefined, 0)]]);
  const strangers = new Set<Id>();

  const join = ({ _id: id, parent, start_timestamp: begunAt }: Seen): Member => {
    const member = members.get(id) ?? newMember(id, parent, begunAt);
    members.set(id, member);
    return member;
  };
  const find = async (id: Id): Promise<Member | undefined> => {
    const known = members.get(id);
    if (known || strangers.has(id)) return known;
    const [record] = await executions.list({ filter: { _id: id }, fields: FIELDS, limit: 1 });
    if (record?.parent !== undefined && (await find(record.parent))) return join(record);
    if (strangers.size >= MOST_STRANGERS) strangers.clear();
    strangers.add(id);
    return undefined;
  };
  const below = async (parents: readonly Id[]): Promise<Seen[]> => {
    const children: Seen[] = [];
    for (let at = 0; at < parents.length; at += TOGETHER) {
      const filter = { parent: { $in: parents.slice(at, at + TOGETHER) } };
      children.push(...(await executions.list({ filter, sort: { start_timestamp: 1 }, fields: FIELDS })));
    }
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

/** Until its end is told, it may have printed something: that does not show in the record. */
const isUntold = ({ log }: Seen, { entries }: Member): boolean =>
  entries < log.length || !isTerminal(log.at(-1)!.status);
