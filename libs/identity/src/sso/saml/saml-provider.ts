import type * as Xmldom from '@xmldom/xmldom';
import { fault, isFault, networkReason, SECOND_MS } from '@switchyard/base';
import { isSafeAddress } from '../provider-arguments';
import { markupProblem } from './markup-problem';
import type { SamlSettings } from './saml-settings';

/** The identity provider, as its metadata describe it (SAML 2.0 Metadata). */
export interface SamlProvider {
  readonly entityId: string;
  /** The address to which browsers take requests, in the query. */
  readonly loginAddress: string;
  /** Its signing certificates in base64. Several while it changes its key. */
  readonly certificates: readonly [string, ...string[]];
}

/** Reads the metadata of the provider. @throws Fault `auth.sso-unavailable` */
export async function readSamlProvider({
  metadata_url: address,
  timeout,
}: Pick<SamlSettings, 'metadata_url' | 'timeout'>): Promise<SamlProvider> {
  try {
    const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(timeout * SECOND_MS) });
    const text = await response.text();
    if (!response.ok) throw unavailable(`its metadata cannot be read (HTTP status ${response.status})`);
    return samlProviderOf(text);
  } catch (error) {
    if (isFault(error)) throw error;
    throw unavailable(`the provider cannot be reached (${networkReason(error, {})})`);
  }
}

const LARGEST = 1024 * 1024;

/** @throws Fault `auth.sso-unavailable` */
export function samlProviderOf(metadata: string): SamlProvider {
  if (metadata.length > LARGEST) throw unavailable('its metadata are larger than 1 MiB');
  const providers = childrenOf(parsedXml(metadata), 'IDPSSODescriptor');
  const [provider, ...others] = providers;
  if (!provider) throw unavailable('its metadata describe no identity provider');
  if (others.length > 0) throw unavailable('its metadata describe several identity providers');
  const entityId = provider.parentNode?.getAttribute('entityID') ?? '';
  if (entityId === '') throw unavailable('its metadata have no entityID');
  return { entityId, loginAddress: loginAddressOf(provider), certificates: certificatesOf(provider) };
}

/** The used part of the parser's elements, which have the types of browsers. */
interface XmlElement {
  readonly parentNode: XmlElement | null;
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  getElementsByTagNameNS(namespace: string, name: string): ArrayLike<XmlElement>;
}

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const SIGNATURES = 'http://www.w3.org/2000/09/xmldsig#';
const IN_QUERY = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

function loginAddressOf(provider: XmlElement): string {
  const service = childrenOf(provider, 'SingleSignOnService').find((each) => each.getAttribute('Binding') === IN_QUERY);
  const address = service?.getAttribute('Location') ?? '';
  if (URL.canParse(address) && isSafeAddress(new URL(address))) return address;
  throw unavailable('its metadata name no address with TLS for logins with the binding HTTP-Redirect');
}

function certificatesOf(provider: XmlElement): SamlProvider['certificates'] {
  const [first, ...others] = childrenOf(provider, 'KeyDescriptor')
    .filter((key) => key.getAttribute('use') !== 'encryption')
    .flatMap((key) => childrenOf(key, 'X509Certificate', SIGNATURES))
    .map((certificate) => (certificate.textContent ?? '').replace(/\s/g, ''));
  if (!first) throw unavailable('its metadata have no certificate for signatures');
  return [first, ...others];
}

/** The parser, which is loaded only by processes that use it. */
// eslint-disable-next-line @typescript-eslint/no-require-imports -- metadata are parsed in functions that are not asynchronous
const xmldom = (): typeof Xmldom => require('@xmldom/xmldom') as typeof Xmldom;

function parsedXml(text: string): XmlElement {
  const problem = markupProblem(text);
  if (problem !== undefined) throw unavailable(`its metadata are not usable: what it sent ${problem}`);
  const { DOMParser } = xmldom();
  return new DOMParser().parseFromString(text, 'text/xml').documentElement as XmlElement;
}

const childrenOf = (element: XmlElement, name: string, namespace = METADATA): XmlElement[] =>
  Array.from(element.getElementsByTagNameNS(namespace, name));

const unavailable = (text: string) => fault('auth.sso-unavailable', { text });
