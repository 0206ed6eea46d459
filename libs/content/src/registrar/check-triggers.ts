import { storedRef, triggerTypeRecord, type TriggerTypeDraft } from '@switchyard/triggers';
import { issuesOf } from '../check/issue';
import type { LoadedResource } from '../loaders/load-resource-files';
import type { ContentTarget, Loader } from '../loaders/loader';
import type { LoadedPack } from './load-pack';

type TypeRecord = ReturnType<typeof triggerTypeRecord>;

/**
 * Adds what is wrong with the triggers that rules listen to, once all packs are loaded: a type may be in the store, or come
 * with any of the packs that are going to be registered. A pack that drops out takes its types along.
 */
export async function addTriggerFailures(
  loaded: readonly LoadedPack[],
  { store, triggers }: ContentTarget,
): Promise<void> {
  if (!loaded.some(({ kinds }) => kinds.some(({ loader }) => loader.listensTo))) return;
  const stored = await store.triggerTypes.list();
  for (;;) {
    const sound = loaded.filter(({ failures }) => failures.length === 0);
    const types = new Map<string, TypeRecord>(stored.map((type) => [type.ref, type]));
    for (const draft of sound.flatMap(provided)) {
      const type = triggerTypeRecord(draft);
      types.set(type.ref, type);
    }
    const check = (type: string, parameters: Readonly<Record<string, unknown>>) =>
      triggers.checkTrigger(types.get(storedRef(type)), type, parameters);
    for (const pack of sound) {
      // What such a rule waits for may be a type of a sensor that was left out: then it is left out as well.
      if (pack.leftOut.length > 0) leaveOut(pack, check);
      else pack.failures.push(...failuresOf(pack, check));
    }
    if (sound.every(({ failures }) => failures.length === 0)) return;
  }
}

const provided = ({ kinds }: LoadedPack): readonly TriggerTypeDraft[] =>
  kinds.flatMap(({ loader, resources }) => resources.flatMap(({ draft }) => loader.provides?.(draft) ?? []));

type Check = (type: string, parameters: Readonly<Record<string, unknown>>) => void;

const failuresOf = ({ kinds }: LoadedPack, check: Check): LoadedPack['failures'] =>
  kinds.flatMap(({ loader, resources }) => resources.flatMap((resource) => problemsOf(loader, resource, check)));

function problemsOf({ listensTo }: Loader, { draft, failure }: LoadedResource, check: Check): LoadedPack['failures'] {
  const wanted = listensTo?.(draft);
  return wanted ? issuesOf(['trigger'], () => check(wanted.type, wanted.parameters)).map(failure) : [];
}

function leaveOut(pack: LoadedPack, check: Check): void {
  for (const kind of pack.kinds) {
    kind.resources = kind.resources.filter((resource) => {
      const problems = problemsOf(kind.loader, resource, check);
      pack.leftOut.push(...problems);
      return problems.length === 0;
    });
  }
}
