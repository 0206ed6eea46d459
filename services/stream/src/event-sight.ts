import { isFault, type Id } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import { parentsOfExecution, permittedExecutions, type Executions } from '@switchyard/executions';
import type { AccessControl, Requester } from '@switchyard/identity';
import { grantedResources, toUid, uidOfReference, type ExecutionRecord } from '@switchyard/model';
import { allFilters, anyFilter, isOneOf, where, type Filter } from '@switchyard/storage';
import type { FeedItem } from './message-feed';
import type { ServedEvent } from './stream-events';

/**
 * What one reader may see. Each event shows a record and requires the permission to view it. It is checked for each
 * event, so that a revoked role takes effect in open streams; the check uses cached permissions.
 */
export interface EventSight {
  /** Whether the reader could see everything when the stream began. */
  readonly seesAll: boolean;
  /** Whether permission isolation limits the reader to executions of their own. */
  readonly isolates: boolean;
  maySee(item: FeedItem, event: ServedEvent): Promise<boolean>;
  maySeeExecution(record: Seen): Promise<boolean>;
  /** The same for an execution below a visible one. There, readers see all of their own executions. */
  maySeeBelow(record: Seen): Promise<boolean>;
  /** The executions that the reader may see. */
  executions(): Promise<Filter<ExecutionRecord>>;
}

type Seen = Pick<ExecutionRecord, '_id' | 'action_ref' | 'context'>;

export interface SightDeps {
  readonly access: AccessControl;
  readonly executions: { readonly records: Pick<Executions['records'], 'list'> };
  readonly config?: Pick<Config, 'rbac' | 'system_user'>;
}

const EVERYTHING: EventSight = {
  seesAll: true,
  isolates: false,
  maySee: () => Promise.resolve(true),
  maySeeExecution: () => Promise.resolve(true),
  maySeeBelow: () => Promise.resolve(true),
  executions: () => Promise.resolve({}),
};

/** The action that sends announcements, which are parameters of its executions. */
const ANNOUNCING = uidOfReference('action', 'core.announcement');

export function eventSight({ access, executions, config }: SightDeps, reader: Requester): EventSight {
  // Administrators may lose their role while a stream is open.
  if (reader.isAdmin && !access.enabled) return EVERYTHING;
  const { user } = reader;
  const { isAdmin } = reader;
  const isolates =
    !isAdmin && access.enabled && config?.rbac.permission_isolation === true && user !== config.system_user.user;
  const ownerOf = owners(executions.records);
  const may = async (...asked: [permission: string, resource: string, parents?: readonly string[]]) => {
    try {
      await access.authorise(reader, ...asked);
      return true;
    } catch (error) {
      if (isFault(error) && error.status === 403) return false;
      throw error;
    }
  };
  const mayView = async (id: Id, ref: string) =>
    (await may('execution_view', toUid('execution', id), parentsOfExecution({ action_ref: ref }))) &&
    (!isolates || (await ownerOf(id)) === user);
  return {
    seesAll: isAdmin,
    isolates,
    async maySee(item, event) {
      switch (item.exchange) {
        case 'execution':
        case 'liveaction':
          return mayView(item.message.id, item.message.ref);
        case 'execution.output':
          return mayView(item.message.execution_id, event.actionRef ?? '');
        case 'announcement':
          return may('execution_view', ANNOUNCING);
        case 'actionalias':
          return may('action_alias_view', uidOfReference('action_alias', item.message.ref));
      }
    },
    maySeeExecution: ({ _id: id, action_ref: ref }) => mayView(id, ref),
    maySeeBelow: async ({ _id: id, action_ref: ref, context }) => context['user'] === user || mayView(id, ref),
    async executions() {
      const visible = await access.visible(reader, 'execution_view');
      const own = isolates ? [where<ExecutionRecord>('context.user', user)] : [];
      const granted = visible === 'all' ? undefined : permittedExecutions(grantedResources(visible));
      const permitted = granted && (granted.length > 0 ? anyFilter(granted) : { _id: isOneOf<string>([]) });
      return allFilters<ExecutionRecord>([{}, ...own, ...(permitted ? [permitted] : [])]);
    },
  };
}

/** The number of executions with a cached user per reader. */
const MOST_OWNERS = 10_000;

function owners(records: SightDeps['executions']['records']): (id: Id) => Promise<unknown> {
  const known = new Map<Id, unknown>();
  return async (id) => {
    if (known.has(id)) return known.get(id);
    const [record] = await records.list({ filter: { _id: id }, fields: ['context'], limit: 1 });
    if (!record) return undefined;
    if (known.size >= MOST_OWNERS) known.clear();
    known.set(id, record.context['user']);
    return record.context['user'];
  };
}
