import type { Id, Micros } from '@switchyard/base';
import type { BlobPointer } from './execution-record';

/** A definition of a workflow as it was when runs began with it, each text stored once and never changed. */
export interface WorkflowDefinitionRecord {
  /** Content hash of the rest. */
  _id: string;
  /** Name of the runner, which says how the text is to be read. */
  runner: string;
  text: string;
}

/** The runner's own parameters, as they were when the run began. */
export interface WorkflowOptions {
  /** Tasks whose end is told. */
  notify: string[];
  /** Tasks of a chain whose end is not told. */
  skip_notify: string[];
  /** Whether the result of a chain shows what it has published. */
  display_published: boolean;
}

/** One run of a workflow: what is known of it besides its journal. */
export interface WorkflowRecord {
  _id: Id;
  /** The execution that shows it: after a rerun of some of its tasks it is another one. */
  execution: Id;
  definition: string;
  /** Names of the action's parameters: a chain's variables. */
  parameters: string[];
  options: WorkflowOptions;
  /** Encrypted JSON: what is secret of its inputs and of the pack's configuration, so that it stays so in its tasks. */
  sealed_secrets?: string;
  /** The process that works on it: others leave it alone while that one lives. */
  owner: Id;
  /** Present until the run has ended and everybody has been told. */
  open?: true;
  /** How many workflows it runs in. */
  depth: number;
  started_at: Micros;
}

/** What one step of a workflow has changed. It is complete in itself: the insert is the compare-and-set of the run. */
export interface WorkflowJournalRecord {
  /** `<workflow>:<revision>`, from 1 without gaps. */
  _id: string;
  workflow: Id;
  revision: number;
  at: Micros;
  /** Encrypted JSON text of the step. */
  step?: string;
  /** Where the text lies when it is large. */
  step_blob?: BlobPointer;
}
