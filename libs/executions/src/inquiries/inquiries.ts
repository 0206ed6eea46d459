import { fault, type Id } from '@switchyard/base';
import { maskBySchema, type ExecutionRecord, type Schema } from '@switchyard/model';
import type { Filter, Store } from '@switchyard/storage';
import type { Executions } from '../executions';
import { checkOpen, checkResponder, checkResponse, INQUIRER, inquiryOf, type Inquiry, type Responder } from './inquiry';

export interface InquiriesDeps {
  readonly store: { readonly executions: Pick<Store['executions'], 'get'> };
  readonly executions: Pick<Executions, 'results' | 'transition'>;
}

/** What is done with inquiries. Each of them ends once: by an answer, by its time, or because it was canceled. */
export interface Inquiries {
  /** @throws Fault of the area `inquiry` when it cannot be answered (any more), `execution.not-found` */
  get(id: Id): Promise<Inquiry>;
  /** The inquiry of a record that is known to be one. */
  of(record: ExecutionRecord): Promise<Inquiry>;
  /**
   * Of several answers at the same time the first one counts, and the others are told that there is one.
   * @returns the answer as it may be shown @throws Fault of the area `inquiry`, `execution.not-found`
   */
  respond(id: Id, response: Readonly<Record<string, unknown>>, responder: Responder): Promise<Record<string, unknown>>;
  /** @returns undefined when it was not pending any more */
  timeOut(record: ExecutionRecord): Promise<ExecutionRecord | undefined>;
}

/** The executions that are open inquiries. */
export const OPEN_INQUIRIES: Filter = { status: 'pending', runner_name: INQUIRER };

export function createInquiries({ store, executions }: InquiriesDeps): Inquiries {
  const open = async (id: Id): Promise<ExecutionRecord> => {
    const record = await store.executions.get(id);
    if (!record) throw fault('execution.not-found', { id });
    checkOpen(record);
    return record;
  };
  const of = async (record: ExecutionRecord) =>
    inquiryOf(record, (await executions.results.load(record, false)) ?? record.parameters);

  return {
    of,
    get: async (id) => of(await open(id)),
    async respond(id, response, responder) {
      const record = await open(id);
      const inquiry = await of(record);
      checkResponder(inquiry, responder);
      checkResponse(inquiry, response);
      const asked = (await executions.results.load(record, true)) ?? {};
      const stored = await executions.results.store(record, { ...asked, response }, inResponse(inquiry.schema));
      const moved = await executions.transition(record, 'succeeded', {
        from: ['pending'],
        set: { ...stored.set, 'context.responded_by': responder.user },
        unset: stored.unset,
      });
      if (moved) return maskBySchema(response, inquiry.schema) as Record<string, unknown>;
      await executions.results.discard(stored);
      // Somebody else has decided about it: says how.
      await open(id);
      throw fault('execution.changed-meanwhile', { id });
    },
    timeOut: (record) => executions.transition(record, 'timeout', { from: ['pending'] }),
  };
}

/** What the schema of an answer says of the whole result. */
const inResponse = (schema: Schema): Schema => ({
  definitions: schema['definitions'],
  properties: { response: schema },
});
