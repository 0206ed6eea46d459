import { KIB, slices, type Clock, type Id } from '@switchyard/base';
import type { WorkflowJournalRecord } from '@switchyard/model';
import type { Sealer, Store } from '@switchyard/storage';
import { History, type Step } from './history';

/** Steps up to this size lie in their records, larger ones beside them. */
const INLINE_BYTES = 256 * KIB;

/** Writes and reads what the steps of runs have changed. Values of users are in them, so they are encrypted. */
export interface WorkflowJournal {
  /** @returns false when somebody else has written a step with this number: what we know of the run is old */
  append(workflow: Id, history: History, step: Step): Promise<boolean>;
  /** @returns undefined when there is no such run, or it has not begun */
  read(workflow: Id): Promise<History | undefined>;
}

export interface JournalDeps {
  store: Pick<Store, 'workflows' | 'blobs'>;
  sealer: Sealer;
  clock: Clock;
}

export function createWorkflowJournal({ store, sealer, clock }: JournalDeps): WorkflowJournal {
  const open = async ({ step, step_blob: blob, _id }: WorkflowJournalRecord): Promise<Step> => {
    const sealed = step ?? (blob && (await store.blobs.get(blob)));
    if (sealed === undefined) throw new Error(`the step ${_id} of a workflow is not complete`);
    return JSON.parse(sealer.open(sealed)) as Step;
  };
  return {
    async append(workflow, history, step) {
      const revision = history.revision + 1;
      const at = clock.nowMicros();
      const sealed = sealer.seal(JSON.stringify(step));
      const blob = sealed.length > INLINE_BYTES ? await store.blobs.put(sealed) : undefined;
      const record = { _id: `${workflow}:${revision}`, workflow, revision, at };
      const isFirst = await store.workflows.append({ ...record, ...(blob ? { step_blob: blob } : { step: sealed }) });
      if (isFirst) history.add(step, at);
      else if (blob) await store.blobs.remove(blob);
      return isFirst;
    },
    async read(workflow) {
      const records = await store.workflows.journal(workflow);
      if (records.length === 0) return undefined;
      const history = new History();
      const slice = slices();
      for (const record of records) {
        history.add(await open(record), record.at);
        await slice.next();
      }
      return history;
    },
  };
}
