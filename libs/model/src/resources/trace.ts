import { Type, type Static } from '@sinclair/typebox';
import { isoTime, micros, sortable, text } from './fields';

const component = Type.Object({
  object_id: text,
  ref: text,
  updated_at: micros,
  caused_by: Type.Object({ type: Type.Optional(text), id: Type.Optional(text) }),
});
export type TraceComponent = Static<typeof component>;

/** Everything caused by one event. */
export const traceRecordSchema = Type.Object({
  _id: sortable(text),
  trace_tag: sortable(text),
  start_timestamp: sortable(micros),
  trigger_instances: Type.Array(component),
  rules: Type.Array(component),
  action_executions: Type.Array(component),
});
export type TraceRecord = Static<typeof traceRecordSchema>;

export type TraceComponentKind = 'trigger_instances' | 'rules' | 'action_executions';

const tracePart = Type.Object({ ...component.properties, updated_at: isoTime }, { title: 'TracePart' });
/** A trigger instance, rule or execution in a trace. `caused_by` is empty for the first one. */
export type TracePart = Static<typeof tracePart>;

const components = Type.Array(tracePart);
const { _id, ...shown } = traceRecordSchema.properties;
/** A trace as the API shows it, with the children of its executions and the trigger instances about their ends. */
export const traceAnswer = Type.Object(
  {
    id: _id,
    uid: text,
    ...shown,
    start_timestamp: isoTime,
    trigger_instances: components,
    rules: components,
    action_executions: components,
  },
  { title: 'Trace' },
);
export type Trace = Static<typeof traceAnswer>;
