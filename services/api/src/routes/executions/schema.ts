import { Type } from '@sinclair/typebox';

const anyObject = Type.Optional(Type.Object({}));

/** An execution as it is answered; attributes that are falsy, or were not asked for, are left out. */
export const executionSchema = Type.Object({
  id: Type.String(),
  action: anyObject,
  runner: anyObject,
  liveaction: anyObject,
  status: Type.Optional(Type.String()),
  start_timestamp: Type.Optional(Type.String()),
  end_timestamp: Type.Optional(Type.String()),
  elapsed_seconds: Type.Optional(Type.Number()),
  parameters: anyObject,
  result: anyObject,
  result_size: Type.Optional(Type.Integer()),
  context: anyObject,
  log: Type.Optional(Type.Array(Type.Object({ status: Type.String(), timestamp: Type.String() }))),
  waiting_for: Type.Optional(Type.String()),
  web_url: Type.Optional(Type.String()),
  delay: Type.Optional(Type.Integer()),
  parent: Type.Optional(Type.String()),
  children: Type.Optional(Type.Array(Type.String())),
  trigger: anyObject,
  trigger_type: anyObject,
  trigger_instance: anyObject,
  rule: anyObject,
  workflow_execution: Type.Optional(Type.String()),
  task_execution: Type.Optional(Type.String()),
});
