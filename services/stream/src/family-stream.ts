import { deferred, messageOf, SECOND_MS, type Clock, type Id } from '@switchyard/base';
import type { EventSink } from '@switchyard/http';
import { createTask } from '@switchyard/host';
import { isTerminal } from '@switchyard/model';
import type { Logger } from '@switchyard/telemetry';
import type { EventFilter } from './event-filter';
import type { EventSight } from './event-sight';
import { familyMembers } from './family-members';
import { framesOf, newsSource, noteTold, type News } from './family-news';
import { mergeByTime } from './merge-by-time';
import type { FeedItem } from './message-feed';
import type { SharedReads } from './shared-reads';
import { OUTPUT_EVENT } from './stream-events';

/** The events of one execution and of everything below it, for one reader. */
export interface FamilyStream {
  /**
   * Whether a message is about the family. If so, this stream sends its event: messages only trigger a look.
   */
  takes(item: FeedItem): Promise<boolean>;
  /** Starts with what has happened so far. */
  start(): void;
  /** Resolves once the end of the execution was sent, or when the reader may no longer see the execution. */
  readonly ended: Promise<void>;
  /** Whether the end is being sent or was sent, or the stream has ended without it. Nothing may follow. */
  isOver(): boolean;
  stop(): Promise<void>;
}

export interface FamilyDeps {
  reads: SharedReads;
  sight: Pick<EventSight, 'maySeeExecution' | 'maySeeBelow'>;
  clock: Clock;
  logger: Logger;
}

/** Messages are hints: without any, the store is read this often. */
export const LOOK_MS = 2 * SECOND_MS;

/**
 * 1. News are read from the store, and the position of each member is kept. So nothing is lost or sent twice around the
 *    time at which the reader connects. 2. The news of one look are sent in order of time. A look also covers the
 *    ancestors of a changed member: a workflow prints that it requests an action before the action starts.
 * 3. The root is read first. If it has ended, everything below it is read after that, and its end is sent last.
 * 4. Each look checks again whether the reader may see the root and the members with news.
 */
export function familyStream(
  deps: FamilyDeps,
  root: Id,
  filter: Pick<EventFilter, 'nameFor' | 'cares'>,
  sink: Pick<EventSink, 'send' | 'drained' | 'signal'>,
): FamilyStream {
  const { reads, sight, clock, logger } = deps;
  const members = familyMembers(reads, root, (relative) => sight.maySeeBelow(relative));
  const withOutput = filter.cares(OUTPUT_EVENT);
  const ended = deferred<void>();
  let hinted = new Set<Id>();
  let [knowsAll, endIsSent] = [false, false];

  const tell = async (news: News) => {
    await sink.drained();
    noteTold(news);
    if (news.member.id !== root && !(await sight.maySeeBelow(news.record))) return;
    await sendFrames(deps, filter, news, sink);
  };
  const look = async () => {
    const asked = new Set([root, ...hinted]);
    const knewAll = knowsAll;
    hinted = new Set();
    // If this look fails, the next one finds the rest.
    knowsAll = false;
    const record = await reads.record(root);
    if (!record) return;
    if (!(await sight.maySeeExecution(record))) {
      endIsSent = true;
      return ended.resolve();
    }
    const isOver = isTerminal(record.status);
    const untold = knewAll && !isOver ? members.withThoseAbove(asked) : await members.untold();
    const sources = untold.map((each) => newsSource(reads, each, withOutput, each.id === root ? record : undefined));
    let end: News | undefined;
    for await (const news of mergeByTime(sources)) {
      if (sink.signal.aborted) return;
      if (isOver && news.record === record && news.what === record.log.length - 1) end = news;
      else await tell(news);
    }
    knowsAll = true;
    endIsSent = isOver;
    if (end) await tell(end);
    if (isOver) ended.resolve();
  };
  const task = createTask({ clock, run: look, everyMs: LOOK_MS, onError: (error) => lookFailed(logger, root, error) });
  return {
    async takes(item) {
      const id = executionOf(item);
      if (id === undefined || !(await members.find(id))) return false;
      hinted.add(id);
      task.wake();
      return true;
    },
    start: () => task.wake(),
    ended: ended.promise,
    isOver: () => endIsSent,
    stop: () => task.stop(),
  };
}

async function sendFrames(
  { reads, logger }: Pick<FamilyDeps, 'reads' | 'logger'>,
  filter: Pick<EventFilter, 'nameFor'>,
  news: News,
  sink: Pick<EventSink, 'send'>,
): Promise<void> {
  try {
    for (const frame of await framesOf(reads, filter, news)) sink.send(frame);
  } catch (error) {
    // One event that fails must not cost the reader the others.
    logger.warn('Failed to build an event.', { error: messageOf(error) });
  }
}

const lookFailed = (logger: Logger, root: Id, error: unknown): void =>
  logger.warn('An event stream failed to read its execution; retrying.', {
    execution_id: root,
    error: messageOf(error),
  });

/** The execution that a message is about, unless it was deleted. */
function executionOf({ exchange, message }: FeedItem): Id | undefined {
  if (exchange === 'execution.output') return message.execution_id;
  if (exchange !== 'execution' && exchange !== 'liveaction') return undefined;
  const { id, change } = message;
  return change === 'delete' ? undefined : id;
}
