import { fault, MINUTE_MS, type Clock } from '@switchyard/base';
import { recentValue } from '../recent-value';
import { oidcFault } from './oidc-fault';
import type { OidcSettings } from './oidc-settings';
import { openidClient, type OidcConfiguration, type OpenidClient } from './openid-client';

/** The identity provider, as its discovery document describes it. */
export interface OidcProvider {
  /**
   * Runs a call of the library.
   * @throws Fault `auth.sso-refused`, `auth.sso-unavailable` for what the library throws
   */
  ask<T>(call: (client: OpenidClient, configuration: OidcConfiguration) => T | Promise<T>): Promise<T>;
}

const FRESH_MS = 5 * MINUTE_MS;

type ServerMetadata = ReturnType<OidcConfiguration['serverMetadata']>;

export function createOidcProvider(settings: OidcSettings, clock: Pick<Clock, 'monotonicMs'>): OidcProvider {
  const recentMetadata = recentValue<ServerMetadata>(clock, FRESH_MS);
  return {
    async ask(call) {
      const client = await openidClient();
      try {
        return await call(
          client,
          configured(client, settings, await recentMetadata(() => discovered(client, settings))),
        );
      } catch (error) {
        throw oidcFault(error);
      }
    },
  };
}

async function discovered(client: OpenidClient, settings: OidcSettings): Promise<ServerMetadata> {
  const configuration = await client.discovery(new URL(settings.issuer), settings.client_id, undefined, undefined, {
    timeout: settings.timeout,
    execute: isPlain(settings) ? [client.allowInsecureRequests] : [],
  });
  const metadata = configuration.serverMetadata();
  // The library excepts Microsoft's common endpoints, whose tokens may come from any organization.
  if (new URL(metadata.issuer).href !== new URL(settings.issuer).href) {
    throw fault('auth.sso-unavailable', {
      text: `the issuer of the provider is "${metadata.issuer}", but "${settings.issuer}" is configured`,
    });
  }
  return metadata;
}

const isPlain = ({ issuer }: OidcSettings): boolean => new URL(issuer).protocol === 'http:';

/** Has no keys of the provider yet, so each login reads the current ones. The library would reject unknown keys for a
 * minute. */
function configured(client: OpenidClient, settings: OidcSettings, metadata: ServerMetadata): OidcConfiguration {
  const { client_id: id, client_secret: secret, clock_tolerance: tolerance, signing_alg: algorithm } = settings;
  const own = { id_token_signed_response_alg: algorithm, [client.clockTolerance]: tolerance };
  const configuration = new client.Configuration(metadata, id, own, authentication(client, secret, metadata));
  configuration.timeout = settings.timeout;
  client.enableNonRepudiationChecks(configuration);
  if (isPlain(settings)) client.allowInsecureRequests(configuration);
  return configuration;
}

function authentication(client: OpenidClient, secret: string | null, metadata: ServerMetadata) {
  if (secret === null) return client.None();
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_basic') ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret);
}
