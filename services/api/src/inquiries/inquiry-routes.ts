import type { Route } from '@switchyard/http';
import type { ApiDependencies } from '../api-dependencies';
import { getInquiryRoute } from './get';
import { listInquiriesRoute } from './list';
import { respondRoute } from './respond';

export const inquiryRoutes = (deps: ApiDependencies): Route[] => [
  listInquiriesRoute(deps),
  getInquiryRoute(deps),
  respondRoute(deps),
];
