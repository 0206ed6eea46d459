import { createIdentities, createRoleAccess } from '@switchyard/identity';
import { part } from './assembly';

/** Users, tokens, API keys, and what each of them may do. */
export const identitiesOf = part(({ platform: { store, clock, config } }) =>
  createIdentities({
    store,
    clock,
    config,
    ...(config.rbac.enable ? { access: createRoleAccess({ store, clock }) } : {}),
  }),
);
