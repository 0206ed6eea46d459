import type { Requester } from '@switchyard/http';
import type { Config } from '@switchyard/config';

/** The query parameter of everything that may hold secrets. */
export const showSecretsParameter = {
  show_secrets: { type: 'boolean', default: false, description: 'Answer secrets in clear (administrators)' },
} as const;

interface Asking {
  readonly query: { readonly show_secrets?: unknown };
  readonly requester: Pick<Requester, 'isAdmin'>;
}

/** Whether an answer holds secrets in clear. From people who may not see them, the wish is ignored. */
export const secretsShown = ({ query, requester }: Asking, { api }: Pick<Config, 'api'>): boolean =>
  !api.mask_secrets || (query.show_secrets === true && requester.isAdmin);
