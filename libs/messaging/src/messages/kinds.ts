import { announcementKind } from './announcement';
import { executionChangeKind } from './execution-change';
import { executionOutputKind } from './execution-output';
import { executionStatusKind } from './execution-status';
import type { MessageKind } from './message-kind';
import { recordChangeKind } from './record-change';
import { runnerControlKind } from './runner-control';
import { triggerInstanceKind } from './trigger-instance';
import { workflowNewsKind } from './workflow-news';
import { workflowStatusKind } from './workflow-status';

/** Every kind of message that this program knows, by type. */
export const messageKinds: ReadonlyMap<string, MessageKind> = new Map(
  [
    announcementKind,
    executionChangeKind,
    executionOutputKind,
    executionStatusKind,
    recordChangeKind,
    runnerControlKind,
    triggerInstanceKind,
    workflowNewsKind,
    workflowStatusKind,
  ].map((kind) => [kind.type, kind as MessageKind]),
);
