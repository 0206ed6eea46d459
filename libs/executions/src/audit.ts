import type { ExecutionRecord } from '@switchyard/model';
import type { Announcer } from './announce';

export interface AuditLog {
  audit(message: string, fields?: Record<string, unknown>): void;
}

/** Writes a line of the audit log for each request and each change of a status, in the words that log readers know. */
export const audited = (announce: Announcer, logger: AuditLog): Announcer => ({
  ...announce,
  created(record) {
    logger.audit(`Action execution requested. ${ids(record)}`, fields(record));
    announce.created(record);
  },
  moved(record, atWork) {
    const from = record.log.at(-2)?.status ?? 'requested';
    logger.audit(
      `The status of action execution is changed from ${from} to ${record.status}. <${ids(record)}>`,
      fields(record),
    );
    announce.moved(record, atWork);
  },
});

const ids = ({ _id, liveaction_id: liveaction }: ExecutionRecord): string =>
  `LiveAction.id=${liveaction}, ActionExecution.id=${_id}`;

const fields = ({ _id, liveaction_id, action_ref, status }: ExecutionRecord) => ({
  execution_id: _id,
  liveaction_id,
  action: action_ref,
  status,
});
