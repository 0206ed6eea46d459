import type { PolicyRecord } from '@switchyard/model';
import { issue } from '../check/issue';
import { policyLoader } from '../loaders/policy-loader';
import type { LoadedPack } from './load-pack';

type Taken = Pick<PolicyRecord, 'ref' | 'resource_ref' | 'policy_type'>;

/** An action has one policy of a type at most, whichever packs they come with: the first that was there stays. */
export function addPolicyClashes(loaded: readonly LoadedPack[], stored: readonly Taken[]): void {
  const renewed = new Set(loaded.flatMap((pack) => draftsOf(pack).map(({ draft }) => draft.ref)));
  const owners = new Map(stored.filter(({ ref }) => !renewed.has(ref)).map((policy) => [placeOf(policy), policy.ref]));
  for (const pack of loaded) {
    for (const { draft, failure } of draftsOf(pack)) {
      const policy = draft as unknown as Taken;
      const owner = owners.get(placeOf(policy));
      owners.set(placeOf(policy), owner ?? policy.ref);
      if (owner === undefined || owner === policy.ref) continue;
      const text = `The action "${policy.resource_ref}" has a policy of the type "${policy.policy_type}" already: "${owner}"`;
      pack.failures.push(failure(issue(['policy_type'], text)));
    }
  }
}

const placeOf = ({ resource_ref: action, policy_type: type }: Taken): string => JSON.stringify([action, type]);

const draftsOf = ({ kinds }: LoadedPack) =>
  kinds.flatMap(({ loader, resources }) => (loader.type === policyLoader.type ? resources : []));
