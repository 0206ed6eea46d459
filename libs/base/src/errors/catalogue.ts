import { aliasErrors } from './alias-errors';
import { authErrors } from './auth-errors';
import { contentErrors } from './content-errors';
import { datastoreErrors } from './datastore-errors';
import { eventErrors } from './event-errors';
import { executionErrors } from './execution-errors';
import { parameterErrors } from './parameter-errors';
import { remoteHostErrors } from './remote-host-errors';
import { requestErrors } from './request-errors';
import { runnerErrors } from './runner-errors';
import { sensorErrors } from './sensor-errors';
import { systemErrors } from './system-errors';

/** One kind of error. `template` has `{placeholders}`. Texts that clients of StackStorm rely on are the same as in
 * StackStorm. */
export interface CatalogueEntry {
  readonly status: number;
  readonly template: string;
}

export const catalogue = {
  ...systemErrors,
  ...requestErrors,
  ...aliasErrors,
  ...authErrors,
  ...contentErrors,
  ...datastoreErrors,
  ...eventErrors,
  ...executionErrors,
  ...parameterErrors,
  ...runnerErrors,
  ...remoteHostErrors,
  ...sensorErrors,
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof catalogue;
