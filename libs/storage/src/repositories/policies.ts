import type { PolicyRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import { resourceRepository, type ResourceRepository } from './resources';
import { counted, type RevisionRepository } from './revisions';

/** A snapshot of the enabled policies. A new object whenever one of them has changed. */
export interface PoliciesInForce {
  /** The policies of an action, by reference. */
  of(action: string): readonly PolicyRecord[];
  readonly all: readonly PolicyRecord[];
}

export interface PolicyRepository extends ResourceRepository<PolicyRecord> {
  /**
   * The enabled policies, from a cache. A change by this process takes effect immediately, one by another process after at most
   * half a second, because the store is queried that often for all actions together.
   */
  inForce(): Promise<PoliciesInForce> | PoliciesInForce;
  /** The current policies, for callers that suspect an outdated cache. */
  renewed(): Promise<PoliciesInForce>;
}

const FRESH_MS = 500;
const KIND = 'policies';

interface Known {
  readonly policies: PoliciesInForce;
  readonly revision: number;
}

export function policyRepository(
  collection: Collection<PolicyRecord>,
  revisions: RevisionRepository,
  nowMs: () => number = () => performance.now(),
): PolicyRepository {
  const stored = counted(resourceRepository(collection, 'ref'), revisions, KIND);
  let known: Known | undefined;
  let checkedMs = -Infinity;
  let reading: Promise<PoliciesInForce> | undefined;
  /** A value read before a change must not be cached after it. */
  let changes = 0;
  const changing = async <R>(change: Promise<R>): Promise<R> => {
    try {
      return await change;
    } finally {
      changes += 1;
      checkedMs = -Infinity;
      reading = undefined;
    }
  };
  const read = async (): Promise<PoliciesInForce> => {
    const [before, atMs] = [changes, nowMs()];
    const revision = await revisions.of(KIND);
    const found = known?.revision === revision ? known : { policies: await readEnabled(collection), revision };
    if (before !== changes) return found.policies;
    known = found;
    checkedMs = atMs;
    return found.policies;
  };
  return {
    ...stored,
    insert: (record) => changing(stored.insert(record)),
    replace: (record) => changing(stored.replace(record)),
    upsert: (record) => changing(stored.upsert(record)),
    remove: (id) => changing(stored.remove(id)),
    async renewed() {
      checkedMs = -Infinity;
      return read();
    },
    inForce() {
      if (known && nowMs() - checkedMs < FRESH_MS) return known.policies;
      if (reading) return reading;
      const mine = read().finally(() => {
        if (reading === mine) reading = undefined;
      });
      return (reading = mine);
    },
  };
}

const NONE: readonly PolicyRecord[] = [];

async function readEnabled(policies: Collection<PolicyRecord>): Promise<PoliciesInForce> {
  const all = await policies.list({ filter: { enabled: true }, sort: { _id: 1 } });
  const byAction = new Map<string, PolicyRecord[]>();
  for (const policy of all) byAction.set(policy.resource_ref, [...(byAction.get(policy.resource_ref) ?? []), policy]);
  return { all, of: (action) => byAction.get(action) ?? NONE };
}
