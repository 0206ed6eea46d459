import { fault, type Clock } from '@switchyard/base';
import { derivedValue, ssoState } from '../derived-value';
import type { SsoBackend } from '../sso-backend';
import { areComplete, ssoUserOf, type Claims } from './oidc-claims';
import { createOidcProvider, type OidcProvider } from './oidc-provider';
import { oidcSettings, type OidcSettings } from './oidc-settings';

/** OpenID Connect: the authorization code flow with PKCE (RFC 7636). @throws Fault `config.conflict` */
export function createOidcBackend(
  given: Readonly<Record<string, unknown>>,
  { clock }: { readonly clock: Pick<Clock, 'monotonicMs'> },
): SsoBackend {
  const settings = oidcSettings(given);
  const provider = createOidcProvider(settings, clock);
  return {
    callbackAddress: settings.redirect_uri,
    responseComes: 'by-redirect',
    givesGroups: settings.groups_claim !== null,
    loginAddress: (secret) =>
      provider.ask(async (client, configuration) => {
        const { href } = client.buildAuthorizationUrl(configuration, {
          redirect_uri: settings.redirect_uri,
          scope: settings.scope,
          state: ssoState(secret),
          nonce: derivedValue(secret, 'nonce'),
          code_challenge: await client.calculatePKCECodeChallenge(derivedValue(secret, 'verifier')),
          code_challenge_method: 'S256',
        });
        return href;
      }),
    async verify({ browserSecret: secret, parameters }) {
      if (secret === undefined) {
        const text =
          'the browser has not sent the cookie of this login. It has been used, has expired, or is from another browser';
        throw fault('auth.sso-refused', { text });
      }
      return ssoUserOf(await claimsFor(provider, settings, secret, parameters), settings);
    },
  };
}

const claimsFor = (
  provider: OidcProvider,
  settings: OidcSettings,
  secret: string,
  parameters: Readonly<Record<string, string>>,
): Promise<Claims> =>
  provider.ask(async (client, configuration) => {
    const address = new URL(settings.redirect_uri);
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    const tokens = await client.authorizationCodeGrant(configuration, address, {
      expectedState: ssoState(secret),
      expectedNonce: derivedValue(secret, 'nonce'),
      pkceCodeVerifier: derivedValue(secret, 'verifier'),
      idTokenExpected: true,
    });
    // The library has checked that there is an ID token.
    const claims = tokens.claims() as Claims & { readonly sub: string };
    if (areComplete(claims, settings) || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
    return { ...(await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims };
  });
