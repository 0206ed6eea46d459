import type { RegistryMember } from '@switchyard/model';
import type { ApiTransport } from '../transport/transport';
import { answerOf } from './records';

/** The running processes by service. */
export interface ServiceRegistry {
  /** The services that have a running process. */
  groups(): Promise<string[]>;
  /** @throws ApiError with status 404 if there is no such group */
  members(group: string): Promise<RegistryMember[]>;
}

const GROUPS = ['service_registry', 'groups'];

export const createServiceRegistry = (transport: ApiTransport): ServiceRegistry => ({
  groups: async () => (await answerOf<{ groups: string[] }>(transport, 'GET', GROUPS)).groups,
  members: async (group) =>
    (await answerOf<{ members: RegistryMember[] }>(transport, 'GET', [...GROUPS, group, 'members'])).members,
});
