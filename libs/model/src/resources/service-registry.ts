import { Type, type Static } from '@sinclair/typebox';
import { described, oneOfTexts, text, whole } from './fields';

/** The services that have a running process. StackStorm calls them groups, and their processes members. */
export const registryGroupsAnswer = Type.Object(
  { groups: described(Type.Array(text), 'Services with a running process') },
  { title: 'ServiceRegistryGroups' },
);

const capabilities = Type.Object({
  name: text,
  type: oneOfTexts(['active', 'passive'], 'Whether it listens for requests'),
  hostname: text,
  pid: whole,
  listen_host: Type.Optional(text),
  listen_port: Type.Optional(whole),
  listen_ssl: Type.Optional(Type.Boolean()),
});

const registryMember = Type.Object(
  { group_id: text, member_id: described(text, 'HOST_PID'), capabilities },
  { title: 'ServiceRegistryMember' },
);
export type RegistryMember = Static<typeof registryMember>;

export const registryMembersAnswer = Type.Object(
  { members: Type.Array(registryMember) },
  { title: 'ServiceRegistryMembers' },
);
