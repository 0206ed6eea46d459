export { openAccess, type AccessControl } from './access/access-control';
export type { Requester } from './access/requester';
export { apiKeyHash, isApiKeyHash, newApiKey } from './api-keys/api-key-material';
export { createApiKeys, type ApiKeyChange, type ApiKeyRequest, type ApiKeys } from './api-keys/api-keys';
export {
  anonymousAuthenticator,
  createAuthenticator,
  type Authenticate,
  type AuthenticatorDependencies,
  type Identity,
} from './credentials/authenticator';
export { TOKEN_COOKIE, type Credential, type CredentialSources } from './credentials/find-credential';
export { tokenHash } from './tokens/token-hash';
export { createTokens, type IssuedToken, type TokenRequest, type Tokens } from './tokens/tokens';
export { ensureUser } from './users/ensure-user';
export { tokenUser, type ImpersonationRequest } from './users/impersonation';
export { hashPassword } from './passwords/hash-password';
export { readBasicCredentials, type BasicCredentials } from './passwords/basic-credentials';
export { DEFAULT_ACCOUNT, WELL_KNOWN_ACCOUNTS, isWellKnown } from './passwords/well-known-accounts';
export { createFlatFileBackend, type FlatFileOptions } from './passwords/flat-file-backend';
export { createPasswordBackend, type PasswordBackend } from './passwords/password-backend';
export { createPasswordLogin, type LoginAttempt, type PasswordLogin } from './passwords/password-login';
export { createIdentities, type Identities, type IdentitiesDependencies } from './identities';
