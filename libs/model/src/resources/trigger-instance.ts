import { Type, type Static } from '@sinclair/typebox';
import { anyObject, described, isoTime, micros, oneOfTexts, sortable, text, texts, whole } from './fields';

const STATUSES = ['pending', 'processing', 'processed', 'processing_failed'] as const;
export type TriggerInstanceStatus = (typeof STATUSES)[number];

const outcome = Type.Object(
  {
    matched: described(texts, 'References of the rules that matched'),
    rules: described(whole, 'How many rules were evaluated'),
    suppressed: Type.Optional(
      Type.Array(Type.Object({ rule: text, by: text }), {
        description: 'The matching rules whose action does not run, and the correlation that prevents it',
      }),
    ),
    warnings: Type.Optional(described(texts, 'Warnings that did not prevent the evaluation of rules')),
    reason: Type.Optional(described(text, 'Why the evaluation as a whole failed')),
  },
  { title: 'TriggerInstanceOutcome' },
);
export type TriggerInstanceOutcome = Static<typeof outcome>;

/** An event. It is stored before any message about it is sent, and messages contain only its id. */
export const triggerInstanceRecordSchema = Type.Object({
  _id: sortable(text),
  trigger: sortable(described(text, 'Reference of the trigger')),
  payload: anyObject,
  occurrence_time: sortable(micros, { occurrence_time: '', timestamp: '' }),
  status: sortable(oneOfTexts(STATUSES)),
  trace_context: Type.Optional(anyObject),
  request_key: Type.Optional(text),
  /** The span of OpenTelemetry in which it was dispatched. */
  traceparent: Type.Optional(text),
  tracestate: Type.Optional(text),
  /** The reason for its status: how many rules were tested, which matched, or what failed. */
  outcome: Type.Optional(outcome),
  due: Type.Optional(texts),
  due_at: Type.Optional(micros),
  /** Identifies the claim by which an engine processes it. */
  claim: Type.Optional(text),
});
export type TriggerInstanceRecord = Static<typeof triggerInstanceRecordSchema>;

const { _id, trigger, payload, status } = triggerInstanceRecordSchema.properties;
/** A trigger instance as the API shows it. */
export const triggerInstanceAnswer = Type.Object(
  {
    id: _id,
    trigger,
    payload,
    occurrence_time: isoTime,
    status,
    outcome: Type.Optional(outcome),
  },
  { title: 'TriggerInstance' },
);
export type TriggerInstance = Static<typeof triggerInstanceAnswer>;
