import type { Requester } from '@switchyard/http';
import type { Config } from '@switchyard/config';

/** The query parameter of every resource that may hold secrets. */
export const showSecretsParameter = {
  show_secrets: { type: 'boolean', default: false, description: 'Show secrets in clear (administrators only)' },
} as const;

interface Asking {
  readonly query: { readonly show_secrets?: unknown };
  readonly requester: Pick<Requester, 'isAdmin'>;
}

/** Whether a response shows secrets in clear. The parameter is ignored for users who may not see them. */
export const secretsShown = ({ query, requester }: Asking, { api }: Pick<Config, 'api'>): boolean =>
  !api.mask_secrets || (query.show_secrets === true && requester.isAdmin);
