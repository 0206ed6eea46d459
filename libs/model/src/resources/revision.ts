import { Type, type Static } from '@sinclair/typebox';
import { text, whole } from './fields';

/** The number of changes to records of one kind. The id is the kind. */
export const revisionRecordSchema = Type.Object({ _id: text, revision: whole });
export type RevisionRecord = Static<typeof revisionRecordSchema>;
