import { fault } from '@switchyard/base';
import {
  choiceArgument,
  optional,
  readArguments,
  textArgument,
  type ArgumentValues,
} from '../../passwords/backend-arguments';
import { addressArgument, providerArguments } from '../provider-arguments';

const plainAddress = addressArgument('query and fragment', /[?#]/);

const oidcArguments = {
  issuer: plainAddress,
  client_id: textArgument(),
  client_secret: { ...optional(textArgument(), null), secret: true as const },
  redirect_uri: plainAddress,
  scope: optional(textArgument('scopes separated by spaces, with openid'), 'openid profile'),
  username_claim: optional(textArgument('the name of a claim'), 'sub'),
  groups_claim: optional(textArgument('the name of a claim'), null),
  signing_alg: optional(choiceArgument(['RS256', 'PS256', 'ES256', 'Ed25519', 'EdDSA']), 'RS256'),
  ...providerArguments,
};

export type OidcSettings = ArgumentValues<typeof oidcArguments>;

/** @throws Fault `config.conflict` */
export function oidcSettings(given: Readonly<Record<string, unknown>>): OidcSettings {
  const settings = readArguments('oidc', oidcArguments, given, 'auth.sso_backend_kwargs');
  if (!settings.scope.split(' ').includes('openid')) {
    const text = `auth.sso_backend_kwargs of the backend oidc: "scope": expected scopes with openid, got "${settings.scope}"`;
    throw fault('config.conflict', { text });
  }
  return settings;
}
