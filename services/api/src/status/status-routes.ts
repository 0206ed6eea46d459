import { ADMINISTRATORS, route, type Route } from '@switchyard/http';
import { systemStatusAnswer } from '@switchyard/model/resources';
import type { ApiDependencies } from '../api-dependencies';
import { readStatus } from './read-status';

export const statusRoutes = (deps: ApiDependencies): Route[] => [
  route({
    method: 'GET',
    path: '/status',
    operation: 'status.get',
    permission: ADMINISTRATORS,
    summary: 'The running processes, what waits for them, and why work does not proceed',
    response: { status: 200, schema: systemStatusAnswer },
    handle: async () => ({ status: 200, body: await readStatus(deps) }),
  }),
];
