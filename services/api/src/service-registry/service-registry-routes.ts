import { fault } from '@switchyard/base';
import { PROCESS } from '@switchyard/host';
import { ADMINISTRATORS, route, type Route } from '@switchyard/http';
import {
  REGISTRY_GROUPS,
  RUNNABLE_SERVICES,
  type InstanceRecord,
  type RegistryMember,
  type RunnableService,
} from '@switchyard/model';
import { registryGroupsAnswer, registryMembersAnswer } from '@switchyard/model/resources';
import type { ApiDependencies } from '../api-dependencies';

type Deps = Pick<ApiDependencies, 'instances'>;

/** The running processes by service, with the names and shapes of StackStorm. */
export const serviceRegistryRoutes = (deps: Deps): Route[] => [listGroups(deps), listMembers(deps)];

const listGroups = ({ instances }: Deps): Route =>
  route({
    method: 'GET',
    path: '/service_registry/groups',
    operation: 'service_registry_groups.get_all',
    permission: ADMINISTRATORS,
    summary: 'The services that have a running process',
    response: { status: 200, schema: registryGroupsAnswer },
    async handle() {
      const alive = await instances.alive();
      const running = RUNNABLE_SERVICES.filter((service) => processesOf(alive, service).length > 0);
      return { status: 200, body: { groups: running.map((service) => REGISTRY_GROUPS[service].group) } };
    },
  });

const listMembers = ({ instances }: Deps): Route =>
  route({
    method: 'GET',
    path: '/service_registry/groups/{group_id}/members',
    operation: 'service_registry_group_members.get_one',
    permission: ADMINISTRATORS,
    summary: 'The running processes of one service',
    response: { status: 200, schema: registryMembersAnswer },
    async handle({ params: { group_id: group } }) {
      const service = RUNNABLE_SERVICES.find((each) => REGISTRY_GROUPS[each].group === group);
      if (!service) throw fault('service-registry.group-not-found', { group });
      const members = processesOf(await instances.alive(), service);
      return { status: 200, body: { members: members.map((record) => memberOf(record, service)) } };
    },
  });

const processesOf = (alive: readonly InstanceRecord[], service: RunnableService): InstanceRecord[] =>
  alive.filter((record) => record.service === PROCESS && record.services?.includes(service));

function memberOf({ host, pid, listens }: InstanceRecord, service: RunnableService): RegistryMember {
  const { group, name } = REGISTRY_GROUPS[service];
  const address = listens?.[service];
  return {
    group_id: group,
    member_id: `${host}_${pid}`,
    capabilities: {
      name,
      type: LISTENING.includes(service) ? 'active' : 'passive',
      hostname: host,
      pid,
      ...(address && {
        listen_host: address.host,
        listen_port: address.port,
        ...(address.tls === undefined ? {} : { listen_ssl: address.tls }),
      }),
    },
  };
}

const LISTENING: readonly RunnableService[] = ['api', 'auth', 'stream'];
