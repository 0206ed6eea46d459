import type { PolicyRecord } from '@switchyard/model';
import { storedRef, triggerTypeRecord, type TriggerTypeDraft } from '@switchyard/triggers';
import { issuesOf, issue } from '../check/issue';
import type { LoadedResource } from '../loaders/load-resource-files';
import type { ContentTarget, Loader } from '../loaders/loader';
import { policyLoader } from '../loaders/loader-table';
import type { LoadedPack } from './load-pack';

type TypeRecord = ReturnType<typeof triggerTypeRecord>;

/**
 * Leaves out rules with invalid triggers, once all packs are loaded: the trigger type may be in the store or in any
 * pack about to be registered.
 */
export async function leaveOutTriggerFailures(
  loaded: readonly LoadedPack[],
  { store, triggers }: ContentTarget,
): Promise<void> {
  if (!loaded.some(({ kinds }) => kinds.some(({ loader }) => loader.listensTo))) return;
  const stored = await store.triggerTypes.list();
  const sound = loaded.filter(({ failures }) => failures.length === 0);
  const types = new Map<string, TypeRecord>(stored.map((type) => [type.ref, type]));
  for (const draft of sound.flatMap(provided)) {
    const type = triggerTypeRecord(draft);
    types.set(type.ref, type);
  }
  const check = (type: string, parameters: Readonly<Record<string, unknown>>) =>
    triggers.checkTrigger(types.get(storedRef(type)), type, parameters);
  for (const pack of sound) leaveOut(pack, (loader, resource) => problemsOf(loader, resource, check));
}

const provided = ({ kinds }: LoadedPack): readonly TriggerTypeDraft[] =>
  kinds.flatMap(({ loader, resources }) => resources.flatMap(({ draft }) => loader.provides?.(draft) ?? []));

type Check = (type: string, parameters: Readonly<Record<string, unknown>>) => void;

function problemsOf({ listensTo }: Loader, { draft, failure }: LoadedResource, check: Check): LoadedPack['failures'] {
  const wanted = listensTo?.(draft);
  return wanted ? issuesOf(['trigger'], () => check(wanted.type, wanted.parameters)).map(failure) : [];
}

function leaveOut(pack: LoadedPack, find: (loader: Loader, resource: LoadedResource) => LoadedPack['leftOut']): void {
  for (const kind of pack.kinds) {
    kind.resources = kind.resources.filter((resource) => {
      const problems = find(kind.loader, resource);
      pack.leftOut.push(...problems);
      return problems.length === 0;
    });
  }
}

type Taken = Pick<PolicyRecord, 'ref' | 'resource_ref' | 'policy_type'>;

/** An action may have one policy of each type, across all packs. The existing one stays, and others are left out. */
export function leaveOutPolicyClashes(loaded: readonly LoadedPack[], stored: readonly Taken[]): void {
  const renewed = new Set(loaded.flatMap((pack) => draftsOf(pack).map(({ draft }) => draft.ref)));
  const owners = new Map(stored.filter(({ ref }) => !renewed.has(ref)).map((policy) => [placeOf(policy), policy.ref]));
  for (const pack of loaded) {
    leaveOut(pack, ({ type }, { draft, failure }) => {
      if (type !== policyLoader.type) return [];
      const policy = draft as unknown as Taken;
      const owner = owners.get(placeOf(policy));
      owners.set(placeOf(policy), owner ?? policy.ref);
      if (owner === undefined || owner === policy.ref) return [];
      const text = `The action "${policy.resource_ref}" already has a policy of the type "${policy.policy_type}": "${owner}"`;
      return [failure(issue(['policy_type'], text))];
    });
  }
}

const placeOf = ({ resource_ref: action, policy_type: type }: Taken): string => JSON.stringify([action, type]);

const draftsOf = ({ kinds }: LoadedPack) =>
  kinds.flatMap(({ loader, resources }) => (loader.type === policyLoader.type ? resources : []));
