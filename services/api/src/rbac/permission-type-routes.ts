import { fault } from '@switchyard/base';
import { route, type Route } from '@switchyard/http';
import { permissionTypes } from '@switchyard/model';
import { Type } from '@sinclair/typebox';
import { administratorsOnly } from './administrators-only';

const texts = Type.Record(Type.String(), Type.String());

export const permissionTypeRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/rbac/permission_types',
    operation: 'permission_types.get_all',
    summary: 'What may be granted on each type of resource',
    response: { status: 200, schema: Type.Record(Type.String(), texts) },
    handle({ requester }) {
      administratorsOnly(requester);
      return { status: 200, body: permissionTypes };
    },
  }),
  route({
    method: 'GET',
    path: '/rbac/permission_types/{resource_type}',
    operation: 'permission_types.get_one',
    summary: 'What may be granted on one type of resource',
    response: { status: 200, schema: texts },
    handle({ requester, params }) {
      administratorsOnly(requester);
      const type = params.resource_type;
      if (!Object.hasOwn(permissionTypes, type)) throw fault('auth.resource-type-unknown', { type });
      return { status: 200, body: permissionTypes[type] };
    },
  }),
];
