import { fault, isFault, networkReason } from '@switchyard/base';

/**
 * The part of a library error that a user may see. Its causes hold tokens, codes and responses, so neither the fault
 * nor the log gets them.
 * @returns Fault `auth.sso-refused`, `auth.sso-unavailable`, or the error itself if it does not come from the library
 */
export function oidcFault(error: unknown): unknown {
  if (isFault(error)) return error;
  const { name, code, error: named = '', status = 0 } = error as LibraryError;
  switch (name) {
    case 'AuthorizationResponseError':
      return BUSY.includes(named) ? unavailable(answered(named)) : refused(answered(named));
    case 'ResponseBodyError':
      return status < 500 && named === 'invalid_grant'
        ? refused('the provider does not accept the code. It has been used, has expired, or is from another login')
        : unavailable(answered(named));
    case 'WWWAuthenticateChallengeError':
      return unavailable('the provider refuses the credentials of this system (client_id and client_secret)');
    case 'ClientError':
      if (code === undefined) return away((error as LibraryError).cause);
      return UNUSABLE.has(code) ? unavailable(UNUSABLE.get(code) as string) : refused(reasonOf(error as LibraryError));
    // From the connection, or from metadata that the library cannot use.
    case 'TypeError':
      return away(error);
    default:
      return error;
  }
}

interface LibraryError {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly error?: string;
  readonly status?: number;
  readonly cause?: { readonly name?: string; readonly message?: string };
}

/** The library does not recognize connection errors from another realm, and then gives them no code. */
const away = (cause: unknown) => unavailable(`the provider cannot be reached (${networkReason(cause, {})})`);

const BUSY = ['server_error', 'temporarily_unavailable'];

const UNUSABLE = new Map([
  ['OAUTH_TIMEOUT', 'the provider did not respond in time'],
  ['OAUTH_ABORT', 'the provider did not respond in time'],
  ['OAUTH_RESPONSE_IS_NOT_CONFORM', 'the provider responded with an unexpected status'],
  ['OAUTH_RESPONSE_IS_NOT_JSON', 'the provider did not respond with JSON'],
  ['OAUTH_PARSE_ERROR', 'the provider responded with invalid JSON'],
  ['OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED', 'the provider returned an unexpected issuer or subject'],
  ['OAUTH_MISSING_SERVER_METADATA', 'the provider does not name one of its endpoints'],
  ['OAUTH_INVALID_SERVER_METADATA', 'the provider has an invalid endpoint'],
  ['OAUTH_HTTP_REQUEST_FORBIDDEN', 'the provider has an endpoint without TLS'],
]);

/** The texts of the library are fixed. They name parameters and claims, and have no values. */
const reasonOf = ({ cause, message = '' }: LibraryError): string =>
  cause?.name === 'OperationProcessingError' ? (cause.message ?? message) : message;

/** Only error codes that the standard allows, because anybody can send one. */
const answered = (named: string): string =>
  `the provider responded with ${/^[a-z_]{1,64}$/.test(named) ? named : 'an unknown error'}`;

const refused = (text: string) => fault('auth.sso-refused', { text });
const unavailable = (text: string) => fault('auth.sso-unavailable', { text });
