import { markupProblem } from '../../../src/sso/saml/markup-problem';
import { samlProviderOf } from '../../../src/sso/saml/saml-provider';

const key = (text: string, use = '') =>
  `<md:KeyDescriptor${use}><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${text}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
const service = (address: string, binding = 'HTTP-Redirect') =>
  `<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="${address}"/>`;
const entity = (content: string, attributes = ' entityID="https://id.example"') =>
  `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata"${attributes}>${content}</md:EntityDescriptor>`;
const idp = (content: string) => `<md:IDPSSODescriptor>${content}</md:IDPSSODescriptor>`;
const LOGIN = service('https://id.example/login');

describe('the metadata of a SAML provider', () => {
  it('give its name, its address for logins, and every key that it may sign with', () => {
    const keys = key('AAA\n  BBB') + key('CCC', ' use="signing"') + key('DDD', ' use="encryption"');
    const text = `<?xml version="1.0"?>${entity(idp(keys + service('https://id.example/post', 'HTTP-POST') + LOGIN))}`;
    expect(samlProviderOf(text)).toEqual({
      entityId: 'https://id.example',
      loginAddress: 'https://id.example/login',
      certificates: ['AAABBB', 'CCC'],
    });
  });

  it.each<[string, string, string]>([
    ['of a service', entity('<md:SPSSODescriptor/>'), 'describe no identity provider'],
    [
      'of several providers',
      `<x>${entity(idp(key('A') + LOGIN)).repeat(2)}</x>`,
      'describe several identity providers',
    ],
    ['without a name', entity(idp(key('A') + LOGIN), ''), 'have no entityID'],
    ['without a key', entity(idp(LOGIN + key('A', ' use="encryption"'))), 'have no certificate for signatures'],
    ['without an address', entity(idp(key('A'))), 'name no address with TLS'],
    ['without TLS', entity(idp(key('A') + service('http://id.example/login'))), 'name no address with TLS'],
    ['with a script', entity(idp(key('A') + service('javascript:alert(1)'))), 'name no address with TLS'],
    ['that are a page', '<!doctype html><title>Log in</title>', 'has a document type'],
    ['that are no XML', '{"issuer": "x"}', 'is not well-formed XML'],
    ['that are too large', ' '.repeat(1024 * 1024 + 1), 'are larger than 1 MiB'],
  ])('%s are not accepted', (_, text, message) => {
    expect(() => samlProviderOf(text)).toThrow(message);
  });
});

it.each<[string, string | undefined]>([
  ['<a b="c>"><d/>text&amp;<!-- e --></a>', undefined],
  [`${'<a>'.repeat(100)}${'</a>'.repeat(100)}`, undefined],
  ['<a>&b;</a>', 'is not well-formed XML'],
  ['<a/><a/>', 'is not well-formed XML'],
])('the markup %.40s is checked', (xml, problem) => {
  expect(markupProblem(xml)).toBe(problem);
});
