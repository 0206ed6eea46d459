export interface BasicCredentials {
  readonly user: string;
  readonly password: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads `Basic <base64 of user:password>`. The password may hold colons. @returns undefined for anything else */
export function readBasicCredentials(header: string | undefined): BasicCredentials | undefined {
  const encoded = /^basic ([A-Za-z0-9+/]+={0,2})$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = decoded(encoded);
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || colon < 1) return undefined;
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

function decoded(base64: string): string | undefined {
  try {
    return utf8.decode(Buffer.from(base64, 'base64'));
  } catch {
    return undefined;
  }
}
