import { createInquiries } from '@switchyard/executions';
import { route, type Route } from '@switchyard/http';
import { inquiryAnswer } from '@switchyard/model/resources';
import type { ApiDependencies } from '../api-dependencies';
import { guardedInquiry } from './inquiry-permissions';

export const getInquiryRoute = (deps: ApiDependencies): Route => {
  const inquiries = createInquiries(deps.executions);
  return route({
    method: 'GET',
    path: '/inquiries/{id}',
    operation: 'inquiries.get_one',
    summary: 'One open inquiry',
    permission: 'inquiry_view',
    resource: ({ params }) => guardedInquiry(deps, params.id),
    response: { status: 200, schema: inquiryAnswer },
    handle: async ({ params }) => ({ status: 200, body: await inquiries.get(params.id) }),
  });
};
