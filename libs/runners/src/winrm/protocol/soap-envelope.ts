import { randomUUID } from 'node:crypto';
import { xmlText } from './xml-reader';

const SHELL = 'http://schemas.microsoft.com/wbem/wsman/1/windows/shell';
const TRANSFER = 'http://schemas.xmlsoap.org/ws/2004/09/transfer';

/** What can be done with shells (MS-WSMV, 3.1.4). */
export const ACTION = {
  create: `${TRANSFER}/Create`,
  delete: `${TRANSFER}/Delete`,
  command: `${SHELL}/Command`,
  receive: `${SHELL}/Receive`,
  signal: `${SHELL}/Signal`,
} as const;

export const TERMINATE = `${SHELL}/signal/terminate`;
export const DONE = `${SHELL}/CommandState/Done`;

const RESOURCE = `${SHELL}/cmd`;
const ANONYMOUS = 'http://schemas.xmlsoap.org/ws/2004/08/addressing/role/anonymous';

const NAMESPACES: Readonly<Record<string, string>> = {
  env: 'http://www.w3.org/2003/05/soap-envelope',
  a: 'http://schemas.xmlsoap.org/ws/2004/08/addressing',
  w: 'http://schemas.dmtf.org/wbem/wsman/1/wsman.xsd',
  p: 'http://schemas.microsoft.com/wbem/wsman/1/wsman.xsd',
  rsp: SHELL,
};

/** Seconds after which a host answers that there is nothing yet. */
const OPERATION_SECONDS = 20;
/** The answers that any host can make, bytes. */
const MOST_ENVELOPE_BYTES = 153_600;

export interface SoapMessage {
  readonly action: (typeof ACTION)[keyof typeof ACTION];
  readonly shellId?: string;
  readonly options?: Readonly<Record<string, string>>;
  /** XML. */
  readonly body: string;
}

/** A message of WS-Management about shells. */
export function soapEnvelope(url: URL, { action, shellId, options = {}, body }: SoapMessage): string {
  const must = 'env:mustUnderstand="true"';
  const names = Object.entries(NAMESPACES).map(([prefix, name]) => `xmlns:${prefix}="${name}"`);
  const head = [
    `<a:To>${xmlText(url.href)}</a:To>`,
    `<a:ReplyTo><a:Address ${must}>${ANONYMOUS}</a:Address></a:ReplyTo>`,
    `<w:MaxEnvelopeSize ${must}>${MOST_ENVELOPE_BYTES}</w:MaxEnvelopeSize>`,
    `<a:MessageID>uuid:${randomUUID()}</a:MessageID>`,
    '<w:Locale env:mustUnderstand="false" xml:lang="en-US"/><p:DataLocale env:mustUnderstand="false" xml:lang="en-US"/>',
    `<w:OperationTimeout>PT${OPERATION_SECONDS}S</w:OperationTimeout>`,
    `<w:ResourceURI ${must}>${RESOURCE}</w:ResourceURI>`,
    `<a:Action ${must}>${action}</a:Action>`,
    ...(shellId === undefined
      ? []
      : [`<w:SelectorSet><w:Selector Name="ShellId">${xmlText(shellId)}</w:Selector></w:SelectorSet>`]),
    optionSet(options),
  ];
  const content = `<env:Header>${head.join('')}</env:Header><env:Body>${body}</env:Body>`;
  return `<?xml version="1.0" encoding="utf-8"?><env:Envelope ${names.join(' ')}>${content}</env:Envelope>`;
}

function optionSet(options: Readonly<Record<string, string>>): string {
  const set = Object.entries(options).map(([name, value]) => `<w:Option Name="${name}">${value}</w:Option>`);
  return set.length === 0 ? '' : `<w:OptionSet>${set.join('')}</w:OptionSet>`;
}
