export { authRoutes, createAuthRoutes, type AuthRoutes } from './auth-routes';
export { checkAuthConfig, createLoginBackends, type LoginBackends } from './login-backends';
export { AUTH_PREFIXES, createAuthService, type AuthServiceDependencies } from './auth-service';
export type { TokenRoutesDependencies } from './routes/token-routes';
