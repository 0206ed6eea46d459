export {
  authRoutes,
  checkAuthConfig,
  createAuthRoutes,
  createAuthService,
  type AuthRoutes,
  type AuthServiceDependencies,
} from './auth-service';
export type { TokenRoutesDependencies } from './routes/token-routes';
