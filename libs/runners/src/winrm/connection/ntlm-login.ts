import { fault } from '@switchyard/base';
import { channelBinding } from '../ntlm/channel-binding';
import { canSeal, authenticate, negotiateMessage } from '../ntlm/ntlm-messages';
import { ntlmAccount } from '../ntlm/ntlm-proof';
import { NtlmSession, openSealedBody, SEALED_TYPE, sealedBody } from '../ntlm/ntlm-session';
import type { WinrmTarget } from '../winrm-parameters';
import { type HttpAnswer, type HttpLine, SOAP_TYPE, type Login } from './http-line';

/** Scheme names: WinRM expects the first, other servers in front of it the second. */
const SCHEMES = ['Negotiate', 'NTLM'] as const;

/**
 * Authenticates by NTLM, once per connection. Messages on unencrypted connections are encrypted, because Windows rejects
 * others by default.
 */
export class NtlmLogin implements Login {
  readonly name = 'ntlm';
  readonly #line: HttpLine;
  readonly #target: WinrmTarget;
  readonly #seals: boolean;
  #session: NtlmSession | undefined;
  /** Number of the authenticated connection. */
  #connection = 0;

  constructor(line: HttpLine, target: WinrmTarget) {
    this.#line = line;
    this.#target = target;
    this.#seals = target.url.protocol === 'http:';
  }

  async send(message: Buffer, signal: AbortSignal): Promise<HttpAnswer> {
    if (this.#connection === this.#line.connections) {
      const answer = await this.#sendOn(message, signal);
      // The authenticated connection was replaced by a new one.
      if (answer.status !== 401) return answer;
    }
    const refused = await this.#logIn(signal);
    return refused ?? this.#sendOn(message, signal);
  }

  async #sendOn(message: Buffer, signal: AbortSignal): Promise<HttpAnswer> {
    if (!this.#seals) return this.#line.post({ 'Content-Type': SOAP_TYPE }, message, signal);
    const session = this.#session!;
    const answer = await this.#line.post({ 'Content-Type': SEALED_TYPE }, sealedBody(session, message), signal);
    if (answer.status === 401) return answer;
    const body = openSealedBody(session, answer.body);
    if (body === undefined) throw this.#notSealed(answer);
    return { ...answer, body };
  }

  /** The response may come from a server in front of the host. */
  #notSealed({ status }: HttpAnswer) {
    const { host } = this.#target.url;
    return status === 200 || status === 500
      ? fault('winrm.not-sealed', { host })
      : fault('winrm.http', { host, status });
  }

  /** @returns the response of a host that rejected the user */
  async #logIn(signal: AbortSignal): Promise<HttpAnswer | undefined> {
    let answer: HttpAnswer | undefined;
    for (const scheme of SCHEMES) {
      answer = await this.#say(scheme, negotiateMessage(), signal);
      const challenge = tokenOf(answer, scheme);
      if (answer.status === 401 && challenge !== undefined) return this.#answerChallenge(scheme, challenge, signal);
    }
    return answer;
  }

  async #answerChallenge(scheme: string, challenge: Buffer, signal: AbortSignal): Promise<HttpAnswer | undefined> {
    const { username, password } = this.#target;
    const { certificate } = this.#line;
    const binding = certificate && channelBinding(certificate);
    const account = ntlmAccount(username, password);
    const made = authenticate({ account, challenge, ...(binding && { channelBinding: binding }) });
    if (made === undefined) throw this.#broken('the challenge is malformed');
    if (this.#seals && !canSeal(made.flags)) throw this.#broken('the host does not agree to encrypt messages');
    const answer = await this.#say(scheme, made.message, signal);
    if (answer.status === 401) return answer;
    // Some servers reject an empty message, but only after the login.
    if (answer.status >= 300 && answer.status !== 500)
      throw fault('winrm.http', { host: this.#target.url.host, status: answer.status });
    this.#session = new NtlmSession(made.sessionKey);
    this.#connection = this.#line.connections;
    return undefined;
  }

  #say(scheme: string, message: Buffer, signal: AbortSignal): Promise<HttpAnswer> {
    const headers = { Authorization: `${scheme} ${message.toString('base64')}`, 'Content-Type': SOAP_TYPE };
    return this.#line.post(headers, Buffer.alloc(0), signal);
  }

  #broken(reason: string) {
    return fault('winrm.ntlm', { host: this.#target.url.host, reason });
  }
}

/** The NTLM message in a 401 response. */
function tokenOf({ headers }: HttpAnswer, scheme: string): Buffer | undefined {
  const fields = [headers['www-authenticate'] ?? []].flat().flatMap((field) => field.split(','));
  const found = fields.map((field) => new RegExp(`^\\s*${scheme} ([\\w+/=]+)\\s*$`, 'i').exec(field)?.[1]);
  const token = found.find((each) => each !== undefined);
  return token === undefined ? undefined : Buffer.from(token, 'base64');
}
