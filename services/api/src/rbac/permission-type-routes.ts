import { fault } from '@switchyard/base';
import { ADMINISTRATORS, route, type Route } from '@switchyard/http';
import { permissionTypes } from '@switchyard/model';
import { Type } from '@sinclair/typebox';

const texts = Type.Record(Type.String(), Type.String());

export const permissionTypeRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/rbac/permission_types',
    operation: 'permission_types.get_all',
    summary: 'The permissions that can be granted on each type of resource',
    permission: ADMINISTRATORS,
    response: { status: 200, schema: Type.Record(Type.String(), texts) },
    handle: () => ({ status: 200, body: permissionTypes }),
  }),
  route({
    method: 'GET',
    path: '/rbac/permission_types/{resource_type}',
    operation: 'permission_types.get_one',
    summary: 'The permissions that can be granted on one type of resource',
    permission: ADMINISTRATORS,
    response: { status: 200, schema: texts },
    handle({ params }) {
      const type = params.resource_type;
      if (!Object.hasOwn(permissionTypes, type)) throw fault('auth.resource-type-unknown', { type });
      return { status: 200, body: permissionTypes[type] };
    },
  }),
];
