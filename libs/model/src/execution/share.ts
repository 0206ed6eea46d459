import type { Id } from '@switchyard/base';
import type { ExecutionRecord } from '../records/execution-record';

/**
 * The queue that an execution waits in while there is more to do than there is room: `<user> a` for what somebody has asked
 * for directly, `<user> b <root>` for everything that came of one such request. In order of their names, the queues of a
 * user lie together.
 */
export type Share = string;

export const interactiveShare = (user: string): Share => `${shareOwner(user)} a`;

export const bulkShare = (user: string, root: Id): Share => `${shareOwner(user)} b ${root}`;

/** Users' names in shares are so long at most; what is beyond does not tell users apart. */
const LONGEST_OWNER = 200;

/** A user's name as it stands in shares: without blanks, in letters of which every store knows the same order. */
export const shareOwner = (user: string): string =>
  encodeURIComponent(user.replace(/\p{Surrogate}/gu, '?')).slice(0, LONGEST_OWNER);

export interface ShareParts {
  owner: string;
  /** Absent for what was asked for directly. */
  root?: string;
}

export function shareParts(share: Share): ShareParts {
  const [owner = '', , root] = share.split(' ');
  return { owner, ...(root === undefined ? {} : { root }) };
}

/** Where the queues of an owner's trees begin, and where all queues of the owner end. */
export const bulkSharesFrom = (owner: string): Share => `${owner} b`;
export const sharesEnd = (owner: string): Share => `${owner} c`;

/** What a child takes over from its parent: a whole tree waits in one queue, however deep it is. */
export const childShare = (user: string, parent: Pick<ExecutionRecord, '_id' | 'share'>): Share => {
  const tree = parent.share === undefined ? undefined : shareParts(parent.share).root;
  return bulkShare(user, tree ?? parent._id);
};
