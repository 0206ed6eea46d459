import type { Cookie } from '../routing/route';

/** The value of a cookie in the Cookie header of a request. */
export function requestCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  for (const part of header.split(';')) {
    const equals = part.indexOf('=');
    if (part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim();
  }
  return undefined;
}

export interface CookieSettings {
  readonly secure: boolean;
  /** `unset` leaves the attribute out. */
  readonly sameSite: 'strict' | 'lax' | 'none' | 'unset';
}

/** The value of a `Set-Cookie` header. */
export function setCookie({ name, value, maxAgeSeconds, httpOnly = true }: Cookie, settings: CookieSettings): string {
  return [
    `${name}=${value}`,
    `Max-Age=${maxAgeSeconds}`,
    'Path=/',
    ...(httpOnly ? ['HttpOnly'] : []),
    ...(settings.secure ? ['Secure'] : []),
    ...(settings.sameSite === 'unset' ? [] : [`SameSite=${settings.sameSite}`]),
  ].join('; ');
}
