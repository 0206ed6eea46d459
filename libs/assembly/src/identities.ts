import { fault } from '@switchyard/base';
import { createIdentities } from '@switchyard/identity';
import { part } from './assembly';

/**
 * Users, tokens, API keys, and what each of them may do.
 * @throws Fault `config.conflict` while roles are on, since nothing would check permissions
 */
export const identitiesOf = part(({ platform: { store, clock, config } }) => {
  if (config.rbac.enable) {
    const reason = 'permissions are not checked yet. Remove the option, and give accounts only to people who may do everything'; // prettier-ignore
    throw fault('config.conflict', { text: `rbac.enable = true is not available: ${reason}` });
  }
  return createIdentities({ store, clock, config });
});
