import type { RoleAssignmentRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import { isOneOf, type Filter, type RecordPage } from '../filter';
import { grownAfter, type RevisionRepository } from './revisions';

/** The roles of users. Every change increases the revision `roles`. */
export interface RoleAssignmentRepository {
  get(id: string): Promise<RoleAssignmentRecord | undefined>;
  ofUser(user: string): Promise<RoleAssignmentRecord[]>;
  list(page?: RecordPage<RoleAssignmentRecord>): Promise<RoleAssignmentRecord[]>;
  each(page?: RecordPage<RoleAssignmentRecord>): AsyncIterable<RoleAssignmentRecord>;
  count(filter?: Filter<RoleAssignmentRecord>): Promise<number>;
  /** @throws Fault `storage.duplicate` if one exists with its user, role and source; earlier ones may have been inserted */
  insertMany(records: readonly RoleAssignmentRecord[]): Promise<void>;
  /** @returns false if the record no longer exists */
  replace(record: RoleAssignmentRecord): Promise<boolean>;
  removeMany(ids: readonly string[]): Promise<void>;
}

/** One command of the store may name this many ids. */
const IDS_OF_ONE_REMOVAL = 1000;

export function roleAssignmentRepository(
  assignments: Collection<RoleAssignmentRecord>,
  revisions: RevisionRepository,
): RoleAssignmentRepository {
  const changing = grownAfter(revisions, 'roles');
  return {
    get: (id) => assignments.get(id),
    ofUser: (user) => assignments.list({ filter: { user } }),
    list: (page) => assignments.list(page),
    each: (page) => assignments.each(page),
    count: (filter) => assignments.count(filter),
    insertMany: (records) => changing(assignments.insertMany(records)),
    replace: (record) => changing(assignments.replace(record)),
    removeMany: (ids) => changing(removeEach(assignments, ids)),
  };
}

async function removeEach(assignments: Collection<RoleAssignmentRecord>, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += IDS_OF_ONE_REMOVAL) {
    await assignments.removeAll({ _id: isOneOf(ids.slice(from, from + IDS_OF_ONE_REMOVAL)) });
  }
}
