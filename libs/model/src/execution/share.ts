import type { Id } from '@switchyard/base';
import type { ExecutionRecord } from '../resources/execution';

/**
 * The queue of an execution that waits for a slot: `<user> a` for direct requests of a user, `<user> b <root>` for everything
 * caused by one such request. Sorted by name, the queues of a user are adjacent.
 */
export type Share = string;

export const interactiveShare = (user: string): Share => `${shareOwner(user)} a`;

export const bulkShare = (user: string, root: Id): Share => `${shareOwner(user)} b ${root}`;

/** Maximum length of a user's name in shares; names that differ only beyond it share a queue. */
const LONGEST_OWNER = 200;

/** A user's name in shares: without blanks, in letters that every store sorts the same way. */
export const shareOwner = (user: string): string =>
  encodeURIComponent(user.replace(/\p{Surrogate}/gu, '?')).slice(0, LONGEST_OWNER);

export interface ShareParts {
  owner: string;
  /** Absent for direct requests. */
  root?: string;
}

export function shareParts(share: Share): ShareParts {
  const [owner = '', , root] = share.split(' ');
  return { owner, ...(root === undefined ? {} : { root }) };
}

/** The start of the queues of an owner's trees, and the end of all queues of the owner. */
export const bulkSharesFrom = (owner: string): Share => `${owner} b`;
export const sharesEnd = (owner: string): Share => `${owner} c`;

/** What a child execution inherits: a whole tree waits in one queue, however deep it is. */
export const childShare = (user: string, parent: Pick<ExecutionRecord, '_id' | 'share'>): Share => {
  const tree = parent.share === undefined ? undefined : shareParts(parent.share).root;
  return bulkShare(user, tree ?? parent._id);
};
