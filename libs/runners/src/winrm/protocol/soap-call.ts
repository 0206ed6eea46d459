import { randomUUID } from 'node:crypto';
import { fault } from '@switchyard/base';
import type { MessageExchange } from '../connection/message-exchange';
import { descendant, readXml, type XmlElement, xmlText } from './xml-reader';

/** A host's response to a message: the body, or the reason why there is none. */
export type SoapReply =
  | { readonly kind: 'done'; readonly body: XmlElement }
  | { readonly kind: 'refused'; readonly reason: string; readonly code?: string };

/** Sends one message about a shell. @throws Fault `winrm.…`, `runner.http-failed`, or the reason of `signal` */
export async function soapCall(
  exchange: MessageExchange,
  url: URL,
  message: SoapMessage,
  signal: AbortSignal,
): Promise<SoapReply> {
  const answer = await exchange.send(soapEnvelope(url, message), signal);
  const { top, isComplete } = readXml(answer.body.toString('utf8').replace(/^\uFEFF/, ''));
  const body = descendant(top, 'Body');
  if (body === undefined && answer.status !== 200) throw fault('winrm.http', { host: url.host, status: answer.status });
  if (body === undefined || !isComplete)
    throw fault('winrm.answer', { host: url.host, reason: 'it is not a SOAP envelope' });
  const refusal = body.children.find(({ name }) => name === 'Fault');
  return refusal === undefined ? { kind: 'done', body } : refused(refusal);
}

/** @throws Fault `winrm.refused` @param step the attempted step, such as `start the command` */
export function acceptedReply(reply: SoapReply, url: URL, step: string): XmlElement {
  if (reply.kind === 'done') return reply.body;
  const code = reply.code === undefined ? '' : ` (code ${reply.code})`;
  throw fault('winrm.refused', { host: url.host, step, reason: reply.reason + code });
}

function refused(refusal: XmlElement): SoapReply {
  const code = descendant(refusal, 'WSManFault')?.attributes['Code'];
  const texts = ['Text', 'Message'].map((name) => descendant(refusal, name)?.text.trim().replaceAll(/\s+/g, ' '));
  const reason = texts.find((text) => text) ?? 'it gives no reason.';
  return { kind: 'refused', reason, ...(code !== undefined && { code }) };
}

const SHELL = 'http://schemas.microsoft.com/wbem/wsman/1/windows/shell';
const TRANSFER = 'http://schemas.xmlsoap.org/ws/2004/09/transfer';

/** Operations on shells (MS-WSMV, 3.1.4). */
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

/** Seconds after which a host responds even without output. */
const OPERATION_SECONDS = 20;
/** Room for the largest response, bytes. */
const MOST_ENVELOPE_BYTES = 153_600;

export interface SoapMessage {
  readonly action: (typeof ACTION)[keyof typeof ACTION];
  readonly shellId?: string;
  readonly options?: Readonly<Record<string, string>>;
  /** XML. */
  readonly body: string;
}

/** Builds a WS-Management message about shells. */
function soapEnvelope(url: URL, { action, shellId, options = {}, body }: SoapMessage): string {
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
