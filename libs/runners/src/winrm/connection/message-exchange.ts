import { fault } from '@switchyard/base';
import { basic } from '../../http-request/header-fields';
import type { WinrmTarget } from '../winrm-parameters';
import { openHttpLine, type HttpAnswer, type HttpLine, SOAP_TYPE, type Login } from './http-line';
import { NtlmLogin } from './ntlm-login';

/** An authenticated connection. */
export interface MessageExchange {
  /** Sends a SOAP message and returns the response. @throws Fault `winrm.…`, `runner.http-failed`, or the reason of `signal` */
  send(message: string, signal: AbortSignal): Promise<HttpAnswer>;
  close(): Promise<void>;
}

/** Connects to a host. @throws Fault `runner.http-failed`, `winrm.proxy`, or the reason of `signal` */
export async function openMessageExchange(target: WinrmTarget, signal: AbortSignal): Promise<MessageExchange> {
  const line = await openHttpLine(target, signal);
  const login = target.transport === 'ntlm' ? new NtlmLogin(line, target) : basicLogin(line, target);
  return {
    async send(message, stop) {
      const answer = await login.send(Buffer.from(message), stop);
      if (answer.status === 401) throw unauthorized(target, login.name, answer);
      return answer;
    },
    close: () => line.close(),
  };
}

function basicLogin(line: HttpLine, { username, password }: WinrmTarget): Login {
  const headers = { Authorization: basic(username, password), 'Content-Type': SOAP_TYPE };
  return { name: 'basic', send: (message, signal) => line.post(headers, message, signal) };
}

function unauthorized({ url, username }: WinrmTarget, transport: string, { headers }: HttpAnswer) {
  const offered = [headers['www-authenticate'] ?? []].flat().map((field) => field.split(' ')[0]);
  return fault('winrm.unauthorized', {
    host: url.host,
    username,
    transport,
    offered: offered.join(', ') || 'none',
  });
}
