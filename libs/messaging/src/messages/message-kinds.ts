import type { Static } from '@sinclair/typebox';
import type { ExchangeName } from '../topology';
import {
  executionChangeKind,
  executionOutputKind,
  executionStatusKind,
  releasePermitsKind,
  runnerControlKind,
} from './execution-messages';
import { createCodec, type MessageKind, type MessageKinds } from './message-kind';
import { announcementKind, recordChangeKind, triggerInstanceKind } from './record-messages';
import { workflowNewsKind, workflowStatusKind } from './workflow-messages';

const KINDS = [
  announcementKind,
  executionChangeKind,
  executionOutputKind,
  executionStatusKind,
  recordChangeKind,
  releasePermitsKind,
  runnerControlKind,
  triggerInstanceKind,
  workflowNewsKind,
  workflowStatusKind,
] as const;

/** All kinds of messages, by type. */
export const messageKinds: MessageKinds = new Map(KINDS.map((kind) => [kind.type, kind as unknown as MessageKind]));

type BodyOn<K, E extends ExchangeName> =
  K extends MessageKind<infer S, infer On> ? (E extends On ? Static<S> : never) : never;

/** The messages of an exchange. */
export type MessageOn<E extends ExchangeName> = E extends ExchangeName ? BodyOn<(typeof KINDS)[number], E> : never;

export const { checkPointer, encode, decode } = createCodec(messageKinds);
