import { TextDecoder } from 'node:util';

/**
 * The text of a body. Its type may name the charset. Else it is UTF-8, or, if it is not that, Windows-1252 for types that
 * are texts; of anything else it is the Base64 form, from which the bytes can be had again.
 */
export function bodyText(bytes: Buffer, contentType: string, isTruncated: boolean): string {
  const named = decoderFor(/;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]);
  if (named) return named.decode(bytes, { stream: isTruncated });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isTruncated });
  } catch {
    return TEXT_TYPES.test(contentType) ? new TextDecoder('windows-1252').decode(bytes) : bytes.toString('base64');
  }
}

const TEXT_TYPES = /^\s*(?:text\/|application\/(?:[^;\s]*\+)?(?:json|xml|javascript|yaml|x-www-form-urlencoded)\b)/i;

function decoderFor(charset: string | undefined): TextDecoder | undefined {
  try {
    return charset === undefined ? undefined : new TextDecoder(charset);
  } catch {
    // A charset that nobody knows is as good as none.
    return undefined;
  }
}
