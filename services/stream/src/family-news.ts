import type { Micros } from '@switchyard/base';
import { outputView, readOutput } from '@switchyard/executions';
import type { ServerSentEvent } from '@switchyard/http';
import { isTerminal, type ExecutionRecord, type OutputRecord } from '@switchyard/model';
import { eventData } from './event-data';
import type { EventFilter } from './event-filter';
import type { Member } from './family-members';
import type { TimedSource } from './merge-by-time';
import type { SharedReads, ViewName } from './shared-reads';
import { executionFacts, outputFacts } from './stream-events';

/** Something that happened to a member of a family: a new status, or output. */
export interface News {
  readonly timestamp: Micros;
  readonly member: Member;
  readonly record: ExecutionRecord;
  /** An index in the log of the record, or a chunk of output. */
  readonly what: number | OutputRecord;
}

type NewsReads = Pick<SharedReads, 'record' | 'output'>;

/** The unsent news of a member. @param known its record, if it was read already */
export const newsSource = (
  reads: NewsReads,
  member: Member,
  withOutput: boolean,
  known?: ExecutionRecord,
): TimedSource<News> => ({
  from: member.entries === 0 ? member.begunAt : 0,
  async *read() {
    const record = known ?? (await reads.record(member.id));
    if (record) yield* newsOf(reads, member, record, withOutput);
  },
});

/**
 * Reads the output after the record. An execution stores all its output before it ends. So when the record has ended,
 * the output is complete, and the end comes last. Before that, chunks and statuses are merged by time.
 */
async function* newsOf(
  { output }: NewsReads,
  member: Member,
  record: ExecutionRecord,
  withOutput: boolean,
): AsyncGenerator<News, void> {
  const { log, status } = record;
  const beforeOutput = isTerminal(status) ? log.length - 1 : log.length;
  const chunks = withOutput ? readOutput(output, member.id, { after: member.position }) : [];
  let entry = member.entries;
  for await (const chunk of chunks) {
    for (; entry < beforeOutput && log[entry]!.timestamp <= chunk.timestamp; entry++)
      yield { timestamp: log[entry]!.timestamp, member, record, what: entry };
    yield { timestamp: chunk.timestamp, member, record, what: chunk };
  }
  for (; entry < log.length; entry++) yield { timestamp: log[entry]!.timestamp, member, record, what: entry };
}

/** Records that news are being sent. */
export function noteTold({ member, what }: News): void {
  if (typeof what === 'number') member.entries = what + 1;
  else member.position = what.sequence;
}

const VIEWS: readonly ViewName[] = ['liveaction', 'execution'];

/** The frames of news for a reader. Nothing is read for frames that the reader has filtered out. */
export async function framesOf(
  reads: Pick<SharedReads, 'viewAt'>,
  filter: Pick<EventFilter, 'nameFor'>,
  { record, what }: News,
): Promise<ServerSentEvent[]> {
  if (typeof what !== 'number') {
    const event = filter.nameFor(outputFacts(what));
    return event === undefined ? [] : [{ event, data: outputView(what) }];
  }
  const wanted = VIEWS.map((each) => ({ each, event: filter.nameFor(changeFacts(each, what === 0, record)) }));
  return Promise.all(
    wanted.flatMap(({ each, event }) =>
      event === undefined
        ? []
        : [reads.viewAt(each, record, what).then(async (view) => ({ event, data: await eventData(view) }))],
    ),
  );
}

const changeFacts = (view: ViewName, isNew: boolean, { _id, action_ref: ref }: ExecutionRecord) =>
  executionFacts(view, isNew ? 'create' : 'update', { id: _id, ref });
