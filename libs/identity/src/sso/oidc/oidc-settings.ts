import { fault } from '@switchyard/base';
import {
  choiceArgument,
  numberArgument,
  optional,
  readArguments,
  textArgument,
  type ArgumentValues,
  type BackendArgument,
} from '../../passwords/backend-arguments';

/** Passwords and tokens travel to these addresses, so plain HTTP is for this machine only. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));

const addressArgument: BackendArgument<string> = {
  expected: 'an https address without query and fragment (http on this machine only)',
  read: (value) => {
    if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
    const url = new URL(value);
    return isSafe(url) && !/[?#]/.test(value) && url.username === '' && url.password === '' ? value : undefined;
  },
};

const MOST_TOLERANCE = 300;
const MOST_SECONDS = 60;

const oidcArguments = {
  issuer: addressArgument,
  client_id: textArgument(),
  client_secret: { ...optional(textArgument(), null), secret: true as const },
  redirect_uri: addressArgument,
  scope: optional(textArgument('scopes separated by spaces, with openid'), 'openid profile'),
  username_claim: optional(textArgument('the name of a claim'), 'sub'),
  groups_claim: optional(textArgument('the name of a claim'), null),
  signing_alg: optional(choiceArgument(['RS256', 'PS256', 'ES256', 'Ed25519', 'EdDSA']), 'RS256'),
  clock_tolerance: optional(
    numberArgument(`seconds from 0 to ${MOST_TOLERANCE}`, (seconds) => seconds >= 0 && seconds <= MOST_TOLERANCE),
    30,
  ),
  timeout: optional(
    numberArgument(`seconds above 0, at most ${MOST_SECONDS}`, (seconds) => seconds > 0 && seconds <= MOST_SECONDS),
    10,
  ),
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
