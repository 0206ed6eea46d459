export type { ApiDependencies } from './api-dependencies';
export { apiRoutes } from './api-routes';
export { isConsoleBuilt } from './console/console-site';
export { createApiService, type ApiServiceDependencies } from './api-service';
