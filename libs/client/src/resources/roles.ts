import type { Role, RoleAssignment, RoleChanges } from '@switchyard/model';
import type { ApiTransport } from '../transport/transport';
import { answerOf, readableRecords, type ReadableRecords } from './records';

export interface Roles extends ReadableRecords<Role> {
  /** Applies the definition files on the machine of the API. */
  sync(): Promise<RoleChanges>;
}
export type RoleAssignments = ReadableRecords<RoleAssignment>;

export const createRoles = (transport: ApiTransport): Roles => ({
  ...readableRecords<Role>(transport, ['rbac', 'roles']),
  sync: () => answerOf(transport, 'POST', ['rbac', 'sync']),
});
export const createRoleAssignments = (transport: ApiTransport): RoleAssignments =>
  readableRecords<RoleAssignment>(transport, ['rbac', 'role_assignments']);
