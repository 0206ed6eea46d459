export { authRoutes } from './auth-routes';
export { createAuthRoutes, createAuthService, type AuthRoutes, type AuthServiceDependencies } from './auth-service';
export { checkAuthConfig } from './check-auth-config';
export type { TokenRoutesDependencies } from './routes/token-routes';
