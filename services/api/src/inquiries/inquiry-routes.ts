import type { Route } from '@switchyard/http';
import type { ApiDependencies } from '../api-dependencies';
import { getInquiryRoute, listInquiriesRoute } from './read';
import { respondRoute } from './respond';

export const inquiryRoutes = (deps: ApiDependencies): Route[] => [
  listInquiriesRoute(deps),
  getInquiryRoute(deps),
  respondRoute(deps),
];
