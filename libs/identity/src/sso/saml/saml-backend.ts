import { MINUTE_MS, isPlainObject, messageOf, SECOND_MS, type Clock } from '@switchyard/base';
import type { Logger } from '@switchyard/telemetry';
import type { Profile, SAML } from '@node-saml/node-saml';
import { derivedValue, ssoState } from '../derived-value';
import { recentValue } from '../recent-value';
import type { SsoBackend } from '../sso-backend';
import { markupProblem } from './markup-problem';
import { refused, samlFault } from './saml-fault';
import { readSamlProvider, type SamlProvider } from './saml-provider';
import { assertionConsumerAddress, samlSettings, type SamlSettings } from './saml-settings';
import { samlUserOf, type SamlAttributes } from './saml-user';

interface SamlDependencies {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly logger: Pick<Logger, 'info'>;
}

const FRESH_MS = 5 * MINUTE_MS;
/** A login in a browser expires after ten minutes, so an older assertion belongs to no open login. */
const OLDEST_MS = 10 * MINUTE_MS;

/**
 * SAML 2.0: the web browser profile, with the request in the query and the response in a form. Like the backend of
 * StackStorm, it does not sign requests, and requires that both the response and the assertion are signed. @throws
 * Fault `config.conflict`
 */
export function createSamlBackend(
  given: Readonly<Record<string, unknown>>,
  { clock, logger }: SamlDependencies,
): SsoBackend {
  const settings = samlSettings(given);
  const recentProvider = recentValue<SamlProvider>(clock, FRESH_MS);
  const debug = (message: string, facts: Record<string, unknown>): void => {
    if (settings.debug) logger.info(message, facts);
  };
  return {
    callbackAddress: assertionConsumerAddress(settings),
    responseComes: 'by-post',
    givesGroups: settings.groups_attribute !== null,
    async loginAddress(secret) {
      const provider = await recentProvider(() => readSamlProvider(settings));
      const client = await samlClient(settings, provider, secret);
      return client.getAuthorizeUrlAsync(ssoState(secret), undefined, {});
    },
    async verify({ browserSecret: secret, parameters }) {
      if (secret === undefined) {
        throw refused(
          'the browser has not sent the cookie of this login. It has been used, has expired, or is from another browser',
        );
      }
      const response = checkedResponse(parameters['SAMLResponse']);
      // The provider may have changed its key since.
      const provider = await readSamlProvider(settings);
      try {
        const client = await samlClient(settings, provider, secret);
        const { profile } = await client.validatePostResponseAsync({ SAMLResponse: response });
        checkProfile(profile, settings, provider);
        const attributes = (profile['attributes'] ?? {}) as SamlAttributes;
        debug('SAML response accepted.', { provider: provider.entityId, attributes: Object.keys(attributes) });
        return samlUserOf(attributes, settings);
      } catch (error) {
        debug('SAML response refused.', { provider: provider.entityId, reason: messageOf(error) });
        throw samlFault(error);
      }
    },
  };
}

/** A response has a few kilobytes, more with many groups. Parsing it delays other requests. */
const LONGEST = 256 * 1024;
/** Collisions of SHA-1 can be computed. */
const WEAK = /xmldsig#(rsa-|dsa-|hmac-)?sha1/;

/** @throws Fault `auth.sso-refused` for responses that must not be parsed */
function checkedResponse(response: string | undefined): string {
  if (response === undefined || response === '') throw refused('there is no SAMLResponse');
  if (response.length > LONGEST) throw refused(`the SAMLResponse has more than ${LONGEST} characters`);
  const xml = Buffer.from(response, 'base64').toString();
  const problem = markupProblem(xml);
  if (problem !== undefined) throw refused(`the response ${problem}`);
  if (WEAK.test(xml)) throw refused('the response is signed with SHA-1, which is not safe');
  return response;
}

/** The library, for one login: the response must name the request that this browser sent. */
async function samlClient(settings: SamlSettings, provider: SamlProvider, secret: string): Promise<SAML> {
  const { SAML, ValidateInResponseTo } = await import('@node-saml/node-saml');
  const request = `_${derivedValue(secret, 'request')}`;
  return new SAML({
    entryPoint: provider.loginAddress,
    issuer: settings.entity_id,
    callbackUrl: assertionConsumerAddress(settings),
    audience: settings.entity_id,
    idpCert: [...provider.certificates],
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: true,
    maxAssertionAgeMs: OLDEST_MS,
    acceptedClockSkewMs: settings.clock_tolerance * SECOND_MS,
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    generateUniqueId: () => request,
    validateInResponseTo: ValidateInResponseTo.always,
    // Nothing is stored: the id of the only valid request is derived from the secret of the browser.
    cacheProvider: {
      saveAsync: async () => null,
      getAsync: async (id) => (id === request ? new Date().toISOString() : null),
      removeAsync: async () => null,
    },
  });
}

/** Checks that the library leaves to its callers. @throws Fault `auth.sso-refused` */
function checkProfile(
  profile: Profile | null,
  settings: SamlSettings,
  { entityId }: SamlProvider,
): asserts profile is Profile {
  if (!profile) throw refused('the provider has not logged the user in');
  if (profile.issuer !== entityId) throw refused('the assertion is from another provider (issuer)');
  const [subject] = elements(profile.getAssertion?.()['Assertion'], 'Subject');
  const recipients = elements(subject, 'SubjectConfirmation')
    .filter((confirmation) => attribute(confirmation, 'Method') === BEARER)
    .flatMap((confirmation) => elements(confirmation, 'SubjectConfirmationData'))
    .map((data) => attribute(data, 'Recipient'));
  if (!recipients.includes(assertionConsumerAddress(settings))) {
    throw refused('the assertion is for another address (recipient)');
  }
}

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/** The library returns elements as lists by name, and attributes as `$`. */
function elements(parent: unknown, name: string): unknown[] {
  const found = isPlainObject(parent) ? parent[name] : undefined;
  return Array.isArray(found) ? found : [];
}

function attribute(element: unknown, name: string): unknown {
  const attributes = isPlainObject(element) ? element['$'] : undefined;
  return isPlainObject(attributes) ? attributes[name] : undefined;
}
