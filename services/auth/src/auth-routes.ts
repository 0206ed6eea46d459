import type { Route } from '@switchyard/http';
import { ssoRoutes } from './routes/sso-routes';
import { tokenRoutes, type TokenRoutesDependencies } from './routes/token-routes';

/** The operations of the auth service, for its own listener and for that of an all-in-one (under `/auth/v1`). */
export const authRoutes = (deps: TokenRoutesDependencies): Route[] => [...tokenRoutes(deps), ...ssoRoutes()];
