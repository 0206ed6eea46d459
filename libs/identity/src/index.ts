export {
  createBackendAccess,
  createRoleAccess,
  SELF_CHECK_USER,
  type RoleAccessDependencies,
} from './roles/role-access';
export { createAuditTrail, type AuditTrail, type AuditTrailDependencies } from './audit/audit-trail';
export { checkTrail } from './audit/check-trail';
export { expireAuditRecords, type AuditRetention } from './audit/retention';
export {
  checkRestriction,
  openAccess,
  type AccessControl,
  type Actor,
  type Requester,
  type SignedEvent,
} from './access';
export {
  apiKeyHash,
  isApiKeyHash,
  newApiKey,
  createApiKeys,
  type ApiKeyChange,
  type ApiKeyRequest,
  type ApiKeys,
} from './api-keys';
export type { KeyLimits } from './credentials/key-limits';
export {
  anonymousAuthenticator,
  createAuthenticator,
  hasCredential,
  reliesOnCookie,
  type Authenticate,
  type AuthenticatorDependencies,
  type Identity,
  TOKEN_COOKIE,
  type Credential,
  type CredentialSources,
} from './credentials/authenticator';
export {
  tokenHash,
  createTokens,
  type IssuedToken,
  type RunToken,
  type TokenPage,
  type TokenRequest,
  type Tokens,
  type UnattendedTokenRequest,
} from './tokens';
export { ensureUser, tokenUser, type ImpersonationRequest } from './users';
export { canBeHashed, hashKind, hashPassword, type HashKind } from './passwords/password-hash';
export {
  changePasswordFile,
  passwordLine,
  readPasswordLines,
  type PasswordFileChange,
  type PasswordLine,
} from './passwords/password-file';
export {
  readBasicCredentials,
  type UserCredentials,
  DEFAULT_ACCOUNT,
  WELL_KNOWN_ACCOUNTS,
  isWellKnown,
  createPasswordLogin,
  type LoginAttempt,
  type PasswordLogin,
} from './passwords/password-login';
export { createFlatFileBackend, type FlatFileOptions } from './passwords/flat-file-backend';
export {
  createPasswordBackend,
  type PasswordBackend,
  type PasswordBackendFactory,
  type PasswordBackends,
} from './passwords/password-backend';
export { followingGroups, requireGroups } from './passwords/following-groups';
export { ssoState } from './sso/derived-value';
export { createSsoBackend, type SsoBackend, type SsoUser } from './sso/sso-backend';
export { pluginBackends } from './passwords/plugin-backends';
export { createIdentities, type Identities, type IdentitiesDependencies } from './identities';
export { applyRoleDefinitions } from './roles/apply-definitions';
export { followGroups } from './roles/follow-groups';
export { prepareRoles, storedRolesCount } from './roles/prepare-roles';
export { pluginRoleBackends, type RoleBackend, type RoleBackendFactory } from './roles/role-backend';
export {
  describeProblem,
  readRoleDefinitions,
  type RoleFileProblem,
  type RoleDefinitions,
} from './roles/read-definitions';
export { ensureSystemRoles, isSystemRole } from './roles/system-roles';
