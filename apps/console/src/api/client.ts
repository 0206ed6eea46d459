import { t } from '@lingui/core/macro';
import createClient, { type Middleware } from 'openapi-fetch';
import type { components, paths } from '../../generated/openapi';
import { endSession, sessionToken } from '../session/session';
import { fetchWholeLists } from './whole-lists';

type Schemas = components['schemas'];

export type ShownExecution = Schemas['Execution'];
export type ExecutionRow = Schemas['ListedExecution'];
export type ExecutionStatus = ExecutionRow['status'] & string;
export type ActionRow = Schemas['ListedAction'];
export type ActionDetail = Schemas['Action'];
export type ShownGraph = Schemas['WorkflowGraph'];
export type FoundProblem = Schemas['WorkflowFinding'];
export type ShownRehearsal = Schemas['WorkflowRehearsal'];
export type InquiryRow = Schemas['ListedInquiry'];
export type RuleRow = Schemas['ListedRule'];
export type RuleDetail = Schemas['Rule'];
export type EventRow = Schemas['ListedTriggerInstance'];
export type EventDetail = Schemas['TriggerInstance'];
export type PackDetail = Schemas['Pack'];
export type KeyRow = Schemas['ListedKey'];
export type ShownStatus = Schemas['SystemStatus'];
export type ShownStatistics = Schemas['ExecutionStatistics'];
export type ShownBacktest = Schemas['Backtest'];
export type WebhookRow = Schemas['ListedTrigger'];
export type TimerDetail = Schemas['Trigger'];
export type ApiKeyRow = Schemas['ListedApiKey'];
export type CreatedApiKey = Schemas['NewApiKey'];
export type AuditRow = Schemas['ListedAuditRecord'];
export type AuditDetail = Schemas['AuditRecord'];
export type TokenRow = Schemas['ListedToken'];
export type SensorRow = Schemas['ListedSensor'];
export type SensorDetail = Schemas['Sensor'];
export type ShownSensorLog = Schemas['SensorLog'];
export type PolicyRow = Schemas['ListedPolicy'];
export type PolicyDetail = Schemas['Policy'];
export type AliasRow = Schemas['ListedActionAlias'];
export type ShownAliasMatch = Schemas['AliasMatch'];
export type RoleRow = Schemas['ListedRole'];
export type AssignmentRow = Schemas['ListedUserRoleAssignment'];
export type HeldPermissionRow = Schemas['HeldPermission'];

/** A request that the API refused, with its error message. */
export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    message: string,
    options?: ErrorOptions,
    /** Further members of the response, such as the place in a definition. */
    readonly details: Pick<Schemas['InvalidFault'], 'field' | 'line' | 'column'> = {},
  ) {
    super(message, options);
    this.name = 'ApiFailure';
  }
}

const credentials: Middleware = {
  onRequest({ request }) {
    const token = sessionToken();
    if (token !== undefined && !request.headers.has('authorization')) request.headers.set('x-auth-token', token);
    return request;
  },
  onResponse({ request, response }) {
    // The token has expired or was revoked. A wrong password is also a 401.
    if (response.status === 401 && !request.headers.has('authorization')) endSession();
  },
};

/** A client generated from the API document, for the server that serves the console. */
export const apiClient = createClient<paths>({ baseUrl: window.location.origin, fetch: fetchWholeLists });
apiClient.use(credentials);

interface Answered<D> {
  readonly data?: D;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of a response. @throws ApiFailure */
export async function answerTo<D>(call: Promise<Answered<D>>): Promise<D> {
  return (await responseTo(call)).data;
}

/** The body and the headers of a response. @throws ApiFailure */
export async function responseTo<D>(call: Promise<Answered<D>>): Promise<{ data: D; headers: Headers }> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    throw new ApiFailure(0, t`Cannot reach the server. Check the network and whether the system is running.`, {
      cause,
    });
  });
  if (!response.ok) throw new ApiFailure(response.status, failureText(error, response), {}, detailsOf(error));
  return { data: data as D, headers: response.headers };
}

const detailsOf = (error: unknown): ApiFailure['details'] => (typeof error === 'object' && error !== null ? error : {});

function failureText(error: unknown, { status, statusText }: Response): string {
  const text = (error as { faultstring?: unknown } | undefined)?.faultstring;
  return typeof text === 'string' && text !== '' ? text : t`The server responded with ${status} ${statusText}.`;
}
