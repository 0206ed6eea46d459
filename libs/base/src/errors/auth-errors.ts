import type { CatalogueEntry } from './catalogue';

/** Credentials, tokens, API keys and permissions. The texts of 401 and 403 are those of StackStorm. */
export const authErrors = {
  'auth.no-credentials': { status: 401, template: 'Unauthorized - One of Token or API key required.' },
  'auth.two-credentials': { status: 400, template: 'Only one of Token or API key expected, but both were given.' },
  'auth.unknown-token': { status: 401, template: 'Unauthorized' },
  'auth.expired-token': { status: 401, template: 'Unauthorized - Token has expired.' },
  'auth.unknown-key': { status: 401, template: 'Unauthorized - ApiKey not found.' },
  'auth.disabled-key': { status: 401, template: 'Unauthorized - API key is disabled.' },
  // These two have the text of an unknown key, so that somebody who found a key does not learn that it is valid.
  'auth.expired-key': { status: 401, template: 'Unauthorized - ApiKey not found.' },
  'auth.foreign-key-address': { status: 401, template: 'Unauthorized - ApiKey not found.' },
  // The text of a request without credentials, so that senders learn nothing about the webhook or the error.
  'auth.bad-signature': { status: 401, template: 'Unauthorized - One of Token or API key required.' },
  'auth.unknown-user': { status: 401, template: 'Unauthorized - The user of this credential does not exist.' },
  'auth.bad-credentials': { status: 401, template: 'Invalid or missing credentials' },
  'auth.untrusted-proxy': {
    status: 401,
    template: 'Logins are accepted from a trusted proxy only, and {address} is not one. Log in through the proxy.',
  },
  'auth.no-proxy-user': {
    status: 401,
    template: 'The proxy did not name the user: expected one header {header} with a name, got {actual}.',
  },
  'auth.too-many-failures': {
    status: 429,
    template: 'Too many failed logins. Try again in {seconds} seconds.',
  },
  'auth.busy': { status: 503, template: 'Too many logins are being checked. Try again.' },
  'auth.backend-unavailable': {
    status: 503,
    template: 'The authentication backend "{name}" cannot check passwords at the moment. Try again later.',
  },
  'auth.roles-unavailable': {
    status: 503,
    template: 'The role backend "{name}" cannot determine the roles of users at the moment. Try again later.',
  },
  'auth.forbidden': { status: 403, template: 'User "{user}" doesn\'t have required permission "{permission}"' },
  'auth.forbidden-resource': {
    status: 403,
    template: 'User "{user}" doesn\'t have required permission "{permission}" on resource "{resource}"',
  },
  'auth.restricted': { status: 403, template: 'The credential of this request does not permit this.' },
  'auth.ttl-too-long': { status: 400, template: 'TTL specified {ttl} is greater than max allowed {maximum}.' },
  'auth.ttl-invalid': { status: 400, template: '{ttl} is less than the minimum of 1' },
  'auth.not-a-service': {
    status: 400,
    template: 'Current user is not a service and cannot request impersonated tokens',
  },
  'auth.user-not-found': { status: 400, template: 'Could not locate user {user}' },
  'auth.no-nickname-origin': { status: 400, template: "Nickname origin is not provided for nickname '{nickname}'" },
  'auth.ambiguous-nickname': { status: 400, template: '{nickname}@{origin} matched more than one username' },
  'auth.isolated': {
    status: 403,
    template: 'User "{user}" doesn\'t have access to resource "{resource}" due to resource permission isolation.',
  },
  'auth.token-not-found': { status: 404, template: 'There is no token with this id.' },
  'auth.token-missing': { status: 400, template: 'Token is not provided.' },
  'auth.not-a-token': {
    status: 400,
    template: 'Only a token can be revoked; this request used another credential.',
  },
  'auth.sso-off': { status: 404, template: 'Single sign-on is not enabled.' },
  'auth.sso-refused': { status: 401, template: 'Single sign-on failed: {text}.' },
  'auth.sso-unavailable': {
    status: 503,
    template: 'Single sign-on does not work at the moment: {text}. Try again later.',
  },
  'auth.sso-return-address': {
    status: 400,
    template:
      'Single sign-on starts from and returns to known addresses only: expected one of {known}, got "{address}".',
  },
  'auth.sso-terminal-login': {
    status: 400,
    template: 'Start again with svc login --sso. Expected {expected}.',
  },
  'auth.sso-page-expired': {
    status: 404,
    template: 'This page has already been used or has expired. Start again with svc login --sso.',
  },
  'auth.sso-login-unknown': {
    status: 404,
    template:
      'There is no finished login with this code. Nobody has confirmed it yet, or it has already been used or has expired.',
  },
  'auth.sso-login-used': {
    status: 409,
    template: 'The code "{code}" has already been used for a login. Start again with svc login --sso.',
  },
  'auth.key-not-found': { status: 404, template: 'ApiKey matching {id} for reference and id not found.' },
  'auth.key-not-found-to-change': { status: 404, template: 'ApiKey with key or id={id} not found.' },
  'auth.key-hash-change': { status: 400, template: 'Update of key_hash is not allowed.' },
  'auth.key-hash-invalid': { status: 400, template: 'key_hash must be a SHA-512 hash of 128 hexadecimal digits.' },
  'auth.key-id-invalid': { status: 400, template: 'The id must have 24 hexadecimal digits.' },
  'auth.key-limit': { status: 400, template: '{field}: {text}' },
  'auth.role-definitions': { status: 400, template: 'The role definitions are not valid: {text}' },
  'auth.no-administrator': {
    status: 409,
    template:
      'With roles on, somebody must be an administrator, but no user has the role "admin" or "system_admin". Write {example} in {directory}, and run svc rbac sync.',
  },
  'auth.administrators-only': { status: 403, template: 'Administrator access required' },
  'auth.resource-type-unknown': { status: 404, template: 'Invalid resource type: {type}' },
  'auth.password-file-busy': {
    status: 503,
    template: 'Another process is changing the password file "{path}". Try again.',
  },
  'auth.password-file-write': { status: 500, template: 'The password file "{path}" cannot be changed: {text}' },
  'auth.password-file': { status: 500, template: 'The password file "{path}" cannot be read: {text}' },
} as const satisfies Record<string, CatalogueEntry>;
