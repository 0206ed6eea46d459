import type { Cookie } from '../routing/route';

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
