export type { EventSink, ServerSentEvent } from './events/event-stream';
export { healthRoutes, type Health, serviceMetrics, type ServiceMetrics } from './health/service-metrics';
export { attributeParameters, readAttributes, type AttributeRules, type AttributeSelection } from './lists/attributes';
export {
  listResponse,
  pageParameters,
  readPage,
  type PageLimits,
  type PageRange,
  readSort,
  sortParameter,
  type Direction,
} from './lists/page';
export { indexRoute, openApiDocument, openApiRoute, type About, type OpenApiInfo } from './openapi/openapi-document';
export type { QueryParameter, QueryParameters, QueryValues } from './request/request-target';
export { headerName, trustedProxies, type ProxyOptions, type TrustedProxies } from './request/trusted-proxies';
export { jsonBody } from './request/read-body';
export { exposed } from './response/send-response';
export {
  ADMINISTRATORS,
  ANY_USER,
  type Guarded,
  type GuardedResources,
  route,
  type CheckSignature,
  type Cookie,
  type DeclaredResponse,
  type LoginSource,
  type Method,
  type Mount,
  type RequestHead,
  type Route,
  type RouteRequest,
  type RouteResponse,
  type Site,
  type SiteRequest,
} from './routing/route';
export {
  createHttpApp,
  type HttpApp,
  type HttpAppOptions,
  createHttpService,
  type HttpService,
  type HttpServiceOptions,
} from './server/http-service';
export {
  checkCaller,
  knownCallers,
  type KnownCallers,
  secretsShown,
  showSecretsParameter,
} from './server/admit-request';
export { serverSettings, type ServerSettings } from './server/http-settings';
export { newServer } from './server/listen';
export type { Observation } from './server/record-request';
export type { Requester } from '@switchyard/identity';
export { requestCookie } from './server/handle-route';
