import type { Order } from '@switchyard/executions';
import type { ExecutionRecord } from '@switchyard/model';

/** Something that a run has to be told. */
export type Note =
  /** An execution that it has requested has changed. */
  | { readonly child: ExecutionRecord }
  /** Its own execution: somebody may want it to pause, go on or stop. */
  | { readonly own: ExecutionRecord }
  /** An action that was decided on could not be requested after all. */
  | { readonly unplaced: Order; readonly error: string }
  /** A point in time that it waits for may have come. */
  | { readonly alarm: true }
  /** It was restored: what it missed is to be found. */
  | { readonly look: true };
