import type { NtlmSession } from './ntlm-session';

/** What an encrypted message is announced as (MS-WSMV, 2.2.9.1). */
export const SEALED_TYPE =
  'multipart/encrypted;protocol="application/HTTP-SPNEGO-session-encrypted";boundary="Encrypted Boundary"';

const BOUNDARY = '--Encrypted Boundary';
const DATA_HEAD = 'Content-Type: application/octet-stream\r\n';

/** An encrypted message as the body of a request. */
export function sealedBody(session: NtlmSession, message: Buffer): Buffer {
  const { signature, bytes } = session.seal(message);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(signature.length);
  const head = [
    BOUNDARY,
    '\tContent-Type: application/HTTP-SPNEGO-session-encrypted',
    `\tOriginalContent: type=application/soap+xml;charset=UTF-8;Length=${message.length}`,
    BOUNDARY,
    `\t${DATA_HEAD}`,
  ];
  return Buffer.concat([Buffer.from(head.join('\r\n')), size, signature, bytes, Buffer.from(`${BOUNDARY}--\r\n`)]);
}

/** @returns undefined for what the other side has not sealed */
export function openSealedBody(session: NtlmSession, body: Buffer): Buffer | undefined {
  const head = body.indexOf(DATA_HEAD);
  const length = /;Length=(\d+)/.exec(body.subarray(0, Math.max(head, 0)).toString('latin1'))?.[1];
  const start = head + DATA_HEAD.length;
  if (length === undefined || start + 4 > body.length) return undefined;
  const signatureEnd = start + 4 + body.readUInt32LE(start);
  const bytes = body.subarray(signatureEnd, signatureEnd + Number(length));
  if (bytes.length !== Number(length)) return undefined;
  return session.unseal({ signature: body.subarray(start + 4, signatureEnd), bytes });
}
