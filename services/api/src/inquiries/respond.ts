import { createInquiries } from '@switchyard/executions';
import { route, type Route } from '@switchyard/http';
import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../api-dependencies';
import { guardedInquiry } from './inquiry-permissions';

const answer = Type.Object(
  {
    id: Type.String({ description: 'Not compared with the one in the path' }),
    response: Type.Unsafe<Record<string, unknown>>({ type: 'object' }),
  },
  { title: 'InquiryResponse' },
);

export const respondRoute = (deps: ApiDependencies): Route => {
  const { identities, logger } = deps;
  const inquiries = createInquiries(deps.executions);
  return route({
    method: 'PUT',
    path: '/inquiries/{id}',
    operation: 'inquiries.put',
    summary: 'Respond to an inquiry',
    permission: 'inquiry_respond',
    resource: ({ params }) => guardedInquiry(deps, params.id),
    body: answer,
    response: { status: 200, schema: answer },
    async handle({ params, body, requester: { user } }) {
      const id = params.id;
      const roles = identities.access.enabled ? { roles: await identities.access.rolesOf(user) } : {};
      const given = body.response;
      const response = await inquiries.respond(id, given, { user, ...roles });
      logger.audit('Inquiry responded.', { execution_id: id, user });
      return { status: 200, body: { id, response } };
    },
  });
};
