import { Type, type Static } from '@sinclair/typebox';
import { blobPointer } from './execution';
import { flag, micros, text, texts, whole } from './fields';

/** A workflow definition at the time when runs started with it. Each text is stored once and never changed. */
export const workflowDefinitionRecordSchema = Type.Object({
  /** Content hash of the other fields. */
  _id: text,
  /** Name of the runner, which determines how the text is parsed. */
  runner: text,
  text,
});
export type WorkflowDefinitionRecord = Static<typeof workflowDefinitionRecordSchema>;

/** The runner parameters at the start of the run. */
const workflowOptions = Type.Object({
  /** Tasks whose end is announced. */
  notify: texts,
  /** Tasks of a chain whose end is not announced. */
  skip_notify: texts,
  /** Whether the result of a chain includes its published variables. */
  display_published: flag,
});
export type WorkflowOptions = Static<typeof workflowOptions>;

/** One run of a workflow, without its journal. */
export const workflowRecordSchema = Type.Object({
  _id: text,
  /** The execution that shows it. After a rerun of some of its tasks, it is another one. */
  execution: text,
  definition: text,
  /** Names of the action's parameters, which are a chain's variables. */
  parameters: texts,
  options: workflowOptions,
  /** Encrypted JSON: the secrets of its inputs and of the pack's configuration, so that they stay secret in its tasks. */
  sealed_secrets: Type.Optional(text),
  /** The process that owns it. Others do not take it over while that process is alive, except for canceling its tree. */
  owner: text,
  /** Present once it has had another owner, which may not know that yet. */
  adopted: Type.Optional(Type.Literal(true)),
  /** Present until the run has ended and all consumers were notified. */
  open: Type.Optional(Type.Literal(true)),
  /** The number of workflows around it. */
  depth: whole,
  started_at: micros,
});
export type WorkflowRecord = Static<typeof workflowRecordSchema>;

/** The changes of one step of a workflow. Each step is complete: its insert is the compare-and-set of the run. */
export const workflowJournalRecordSchema = Type.Object({
  /** `<workflow>:<revision>`, from 1 without gaps. */
  _id: text,
  workflow: text,
  revision: whole,
  at: micros,
  /** Encrypted JSON text of the step. */
  step: Type.Optional(text),
  /** The location of a large text. */
  step_blob: Type.Optional(blobPointer),
});
export type WorkflowJournalRecord = Static<typeof workflowJournalRecordSchema>;
