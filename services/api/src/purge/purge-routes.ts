import { fault, isoToMicros, type Micros } from '@switchyard/base';
import { ADMINISTRATORS, route, type Route } from '@switchyard/http';
import type { PurgeRequest } from '@switchyard/model';
import { purgeAnswer, purgeBody } from '@switchyard/model/resources';
import type { ApiDependencies } from '../api-dependencies';

/** The number of records that a request examines. */
const STEP = 200;

/** The removal of old records. One request takes one step, so no request takes long. */
export const purgeRoutes = ({ executions, clock, logger }: ApiDependencies): Route[] => [
  route({
    method: 'POST',
    path: '/purge',
    operation: 'purge.post',
    permission: ADMINISTRATORS,
    summary: 'Remove a limited number of old records, and return where to continue',
    body: purgeBody,
    response: { status: 200, schema: purgeAnswer },
    async handle({ body, requester: { user } }) {
      checkOptions(body);
      const { kind, before, action, incomplete = false, after } = body;
      const choice = {
        before: readPast(before, clock.nowMicros()),
        ...(action === undefined ? {} : { action }),
        ...(incomplete ? { incomplete } : {}),
      };
      // The first step of a purge also finishes those that were interrupted.
      if (after === undefined) await executions.removal.complete();
      const step = await executions.removal.step(kind, choice, {
        limit: STEP,
        ...(after === undefined ? {} : { after }),
      });
      if (step.removed > 0) logger.audit('Old records were removed.', { user, kind, before, removed: step.removed });
      return { status: 200, body: step };
    },
  }),
];

/** A time in the future would remove records in use. */
function readPast(text: string, now: Micros): Micros {
  const time = isoToMicros(text);
  if (time === undefined || time > now) throw fault('purge.time', { value: text });
  return time;
}

/** @throws Fault `purge.option` for an option that the kind does not have */
function checkOptions({ kind, action, incomplete }: PurgeRequest): void {
  if (action !== undefined && kind !== 'executions')
    throw fault('purge.option', { name: 'action', kinds: 'executions', kind });
  if (incomplete && kind !== 'executions' && kind !== 'workflows')
    throw fault('purge.option', { name: 'incomplete', kinds: 'executions or workflows', kind });
}
