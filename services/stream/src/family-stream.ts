import { deferred, messageOf, SECOND_MS, type Clock, type Id } from '@switchyard/base';
import type { EventSink } from '@switchyard/http';
import { createTask } from '@switchyard/host';
import type { ExecutionChangeMessage, ExecutionOutputMessage } from '@switchyard/messaging';
import { isTerminal } from '@switchyard/model';
import type { Logger } from '@switchyard/telemetry';
import type { EventFilter } from './event-filter';
import { familyMembers } from './family-members';
import { framesOf, newsSource, noteTold, type News } from './family-news';
import { mergeByTime } from './merge-by-time';
import type { FeedItem } from './message-feed';
import { OUTPUT_EVENT, type EventDeps } from './stream-events';

/** The events of one execution and of everything below it, for one reader. */
export interface FamilyStream {
  /**
   * Whether a message is about the family. Then its event comes from here: messages only say when to look.
   */
  takes(item: FeedItem): Promise<boolean>;
  /** Begins with what has happened so far. */
  start(): void;
  /** Resolves once the end of the execution was told. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export interface FamilyDeps extends EventDeps {
  clock: Clock;
  logger: Logger;
}

/** Messages are hints: without any, the store is looked into this often. */
export const LOOK_MS = 2 * SECOND_MS;

/**
 * 1. What is told is read from the store, and how far each member was told is kept: so nothing is lost or doubled between
 *    what has happened before the reader came and what happens while he reads.
 * 2. What one look finds is told by its times. Of a member that something has happened to, those above are looked at too: a
 *    workflow says that it requests an action before the action begins.
 * 3. The execution itself is read first. If it has ended, all below it is read after that, and its end is told last.
 */
export function familyStream(
  deps: FamilyDeps,
  root: Id,
  filter: Pick<EventFilter, 'nameFor' | 'cares'>,
  sink: Pick<EventSink, 'send' | 'drained' | 'signal'>,
): FamilyStream {
  const { store, executions, clock, logger } = deps;
  const members = familyMembers(store.executions, root);
  const withOutput = filter.cares(OUTPUT_EVENT);
  const ended = deferred<void>();
  let hinted = new Set<Id>();
  let knowsAll = false;

  const tell = async (news: News) => {
    await sink.drained();
    noteTold(news);
    try {
      for (const frame of await framesOf(executions.view, filter, news)) sink.send(frame);
    } catch (error) {
      // One event that cannot be made must not cost the reader the rest.
      logger.warn('An event could not be made.', { error: messageOf(error) });
    }
  };
  const look = async () => {
    const asked = new Set([root, ...hinted]);
    const knewAll = knowsAll;
    hinted = new Set();
    // If this look fails, the next one finds what it has left.
    knowsAll = false;
    const record = await store.executions.get(root);
    if (!record) return;
    const isOver = isTerminal(record.status);
    const untold = knewAll && !isOver ? members.withThoseAbove(asked) : await members.untold();
    const sources = untold.map((each) => newsSource(deps, each, withOutput, each.id === root ? record : undefined));
    let end: News | undefined;
    for await (const news of mergeByTime(sources)) {
      if (sink.signal.aborted) return;
      if (isOver && news.record === record && news.what === record.log.length - 1) end = news;
      else await tell(news);
    }
    knowsAll = true;
    if (end) await tell(end);
    if (isOver) ended.resolve();
  };
  const onError = (error: unknown) =>
    logger.warn('An event stream could not read its execution. It will try again.', {
      execution_id: root,
      error: messageOf(error),
    });
  const task = createTask({ clock, run: look, everyMs: LOOK_MS, onError });
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
    stop: () => task.stop(),
  };
}

/** The execution that a message says something about, unless that is that it is gone. */
function executionOf({ exchange, message }: FeedItem): Id | undefined {
  if (exchange === 'execution.output') return (message as ExecutionOutputMessage).execution_id;
  if (exchange !== 'execution' && exchange !== 'liveaction') return undefined;
  const { id, change } = message as ExecutionChangeMessage;
  return change === 'delete' ? undefined : id;
}
