import { storedRef, triggerTypeRecord, type TriggerTypeDraft } from '@switchyard/triggers';
import { issuesOf } from '../check/issue';
import type { ContentTarget } from '../loaders/loader';
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
    for (const pack of sound) pack.failures.push(...failuresOf(pack, check));
    if (sound.every(({ failures }) => failures.length === 0)) return;
  }
}

const provided = ({ kinds }: LoadedPack): readonly TriggerTypeDraft[] =>
  kinds.flatMap(({ loader, resources }) => resources.flatMap(({ draft }) => loader.provides?.(draft) ?? []));

const failuresOf = (
  { kinds }: LoadedPack,
  check: (type: string, parameters: Readonly<Record<string, unknown>>) => void,
): LoadedPack['failures'] =>
  kinds.flatMap(({ loader, resources }) =>
    resources.flatMap(({ draft, failure }) => {
      const wanted = loader.listensTo?.(draft);
      return wanted ? issuesOf(['trigger'], () => check(wanted.type, wanted.parameters)).map(failure) : [];
    }),
  );
