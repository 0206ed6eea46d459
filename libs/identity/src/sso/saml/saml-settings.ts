import {
  flagArgument,
  optional,
  readArguments,
  textArgument,
  type ArgumentValues,
} from '../../passwords/backend-arguments';
import { addressArgument, providerArguments } from '../provider-arguments';

/** The first three are StackStorm's. */
const samlArguments = {
  entity_id: addressArgument('query and fragment', /[?#]/),
  metadata_url: addressArgument('fragment', /#/),
  debug: optional(flagArgument, false),
  username_attribute: optional(textArgument('the name of an attribute'), 'Username'),
  groups_attribute: optional(textArgument('the name of an attribute'), null),
  ...providerArguments,
};

export type SamlSettings = ArgumentValues<typeof samlArguments>;

/** @throws Fault `config.conflict` */
export const samlSettings = (given: Readonly<Record<string, unknown>>): SamlSettings =>
  readArguments('saml2', samlArguments, given, 'auth.sso_backend_kwargs');

/** StackStorm's address, which is registered at providers. */
export const assertionConsumerAddress = ({ entity_id: id }: SamlSettings): string =>
  `${id.replace(/\/+$/, '')}/auth/sso/callback`;
