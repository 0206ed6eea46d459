import { aliasErrors } from './alias-errors';
import { authErrors } from './auth-errors';
import { configErrors } from './config-errors';
import { contentErrors } from './content-errors';
import { datastoreErrors } from './datastore-errors';
import { eventErrors } from './event-errors';
import { executionErrors } from './execution-errors';
import { expressionErrors } from './expression-errors';
import { generalErrors } from './general-errors';
import { inquiryErrors } from './inquiry-errors';
import { messagingErrors } from './messaging-errors';
import { parameterErrors } from './parameter-errors';
import { policyErrors } from './policy-errors';
import { requestErrors } from './request-errors';
import { resourceErrors } from './resource-errors';
import { runnerErrors } from './runner-errors';
import { sensorErrors } from './sensor-errors';
import { sshErrors } from './ssh-errors';
import { storageErrors } from './storage-errors';
import { timerErrors } from './timer-errors';
import { winrmErrors } from './winrm-errors';

/** One entry of the catalogue. `template` has `{placeholders}`; wording that clients rely on follows the interface sheets. */
export interface ErrorEntry {
  readonly status: number;
  readonly template: string;
}

export const catalogue = {
  ...generalErrors,
  ...requestErrors,
  ...resourceErrors,
  ...aliasErrors,
  ...authErrors,
  ...configErrors,
  ...contentErrors,
  ...datastoreErrors,
  ...eventErrors,
  ...executionErrors,
  ...expressionErrors,
  ...inquiryErrors,
  ...messagingErrors,
  ...parameterErrors,
  ...policyErrors,
  ...runnerErrors,
  ...sensorErrors,
  ...sshErrors,
  ...storageErrors,
  ...timerErrors,
  ...winrmErrors,
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof catalogue;
