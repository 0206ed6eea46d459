import { t } from '@lingui/core/macro';
import type { ApiKeyRow } from '../api/client';

type Grants = ApiKeyRow['permission_grants'];

/** What a key permits: its role, or its permissions as `svc apikey create` takes them, such as `rule_view@rule:core:greet`. */
export function permittedBy({
  role,
  permission_grants: grants,
}: Pick<ApiKeyRow, 'role' | 'permission_grants'>): string {
  if (role !== undefined) return t`only what the role ${role} permits`;
  if (grants === undefined) return t`everything that its user may do`;
  return grants
    .flatMap(({ permission_types: types, resource_uid: uid }) =>
      types.map((type) => (uid === undefined ? type : `${type}@${uid}`)),
    )
    .join(', ');
}

/** The permissions of a text such as `rule_view@rule:core:greet`. */
export const grantsOf = (texts: readonly string[]): NonNullable<Grants> =>
  texts.map((text) => {
    const [type = '', ...resource] = text.split('@');
    return { permission_types: [type], ...(resource.length > 0 && { resource_uid: resource.join('@') }) };
  });

/** The metadata in words: `used_by: chat bot`. */
export const metadataInWords = (metadata: ApiKeyRow['metadata'] = {}): string =>
  Object.entries(metadata)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
