import { fault } from '@switchyard/base';
import type { MessageExchange } from '../connection/message-exchange';
import { soapEnvelope, type SoapMessage } from './soap-envelope';
import { descendant, readXml, type XmlElement } from './xml-reader';

/** What a host says to a message: the body of its answer, or why not. */
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
    throw fault('winrm.answer', { host: url.host, reason: 'it is no envelope of SOAP' });
  const refusal = body.children.find(({ name }) => name === 'Fault');
  return refusal === undefined ? { kind: 'done', body } : refused(refusal);
}

/** @throws Fault `winrm.refused` @param step what was to be done, such as `start the command` */
export function accepted(reply: SoapReply, url: URL, step: string): XmlElement {
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
