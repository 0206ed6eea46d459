import { isStatus, isTerminal } from '@switchyard/model';
import type { EventFacts, ServedEvent } from './stream-events';

/** What a reader selects. Absent or empty lists match everything. */
export interface StreamQuery {
  events?: readonly string[] | undefined;
  action_refs?: readonly string[] | undefined;
  execution_ids?: readonly string[] | undefined;
  end_event?: string | undefined;
  end_execution_id?: string | undefined;
}

/** Selects the events of one reader. */
export interface EventFilter {
  /** False when the reader needs no event of this name. */
  cares(name: string): boolean;
  /** The name of the event for the reader, with its prefix; undefined when the reader does not get it. */
  nameFor(event: EventFacts): string | undefined;
  /** True when the stream ends with this event. */
  isLast(event: ServedEvent): boolean;
  /** The stream closes when this execution or live action ends. */
  readonly endsWith: { readonly view: 'execution' | 'liveaction'; readonly id: string } | undefined;
}

/** Names have StackStorm's prefix, which chat bots and clients expect, unless the reader requests `svc`. */
const PREFIX = 'st2.';
const OWN_PREFIX = 'svc.';

const DEFAULT_EVENTS: readonly string[] = ['announcement__*', 'execution__*', 'liveaction__*'];

export function eventFilter(query: StreamQuery): EventFilter {
  const asked = given(query.events);
  const prefix = asked?.some((name) => name.startsWith(OWN_PREFIX)) ? OWN_PREFIX : PREFIX;
  const patterns = (asked ?? DEFAULT_EVENTS).map((name) => globPattern(withoutPrefix(name)));
  const actionRefs = given(query.action_refs);
  const executionIds = given(query.execution_ids);
  const endEvent = query.end_event === undefined ? undefined : withoutPrefix(query.end_event);
  const isAsked = (name: string) => patterns.some((pattern) => pattern.test(name));
  const endView = endEvent === undefined ? undefined : END_EVENTS.get(endEvent);
  return {
    cares: (name) => isAsked(name) || name === endEvent,
    nameFor(event) {
      const wanted =
        isAsked(event.name) &&
        (!actionRefs || (event.actionRef !== undefined && actionRefs.includes(event.actionRef))) &&
        (!executionIds || (event.executionId !== undefined && executionIds.includes(event.executionId)));
      return wanted ? prefix + event.name : undefined;
    },
    isLast({ name, body }) {
      if (endEvent === undefined || name !== endEvent || body['id'] !== query.end_execution_id) return false;
      const { status } = body;
      return typeof status === 'string' && isStatus(status) && isTerminal(status);
    },
    endsWith: endView && query.end_execution_id ? { view: endView, id: query.end_execution_id } : undefined,
  };
}

const END_EVENTS: ReadonlyMap<string, 'execution' | 'liveaction'> = new Map([
  ['execution__update', 'execution'],
  ['liveaction__update', 'liveaction'],
]);

const given = (list: readonly string[] | undefined): readonly string[] | undefined => (list?.length ? list : undefined);

const withoutPrefix = (name: string): string =>
  name.startsWith(PREFIX) || name.startsWith(OWN_PREFIX) ? name.slice(PREFIX.length) : name;

/** Shell patterns: `*`, `?`, and `[…]` for one character of a set. Other characters are literal. */
function globPattern(glob: string): RegExp {
  const source = glob.replace(/\[(!?)([^\]]+)\]|[*?]|[^*?[]+|\[/g, (part: string, not?: string, set?: string) => {
    if (part === '*') return '.*';
    if (part === '?') return '.';
    if (set !== undefined) return `[${not ? '^' : ''}${set.replace(/[\\\]^]/g, '\\$&')}]`;
    return part.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${source}$`, 's');
}
