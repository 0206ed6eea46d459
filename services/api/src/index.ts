export type { ApiDependencies } from './api-dependencies';
export { apiRoutes } from './api-routes';
export { createApiService, type ApiServiceDependencies } from './api-service';
