export { authRoutes, checkAuthConfig, createAuthRoutes, type AuthRoutes } from './auth-routes';
export { AUTH_PREFIXES, createAuthService, type AuthServiceDependencies } from './auth-service';
export type { TokenRoutesDependencies } from './routes/token-routes';
