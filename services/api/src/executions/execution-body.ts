import { Type } from '@sinclair/typebox';
import { STATUSES, type NotifySpec, type Status } from '@switchyard/model';

const anyObject = Type.Unsafe<Record<string, unknown>>({ type: 'object' });
/**
 * The action defines which of its parameters and which parts of its result are secret, so nothing is shown before it was
 * read.
 */
const secretObject = Type.Unsafe<Record<string, unknown>>({ type: 'object', secret: true });
const user = Type.Unsafe<string | null>({ type: ['string', 'null'] });
const delay = Type.Integer({ minimum: 0, description: 'Milliseconds to wait before it is scheduled' });

export const statusSchema = Type.Unsafe<Status>({ type: 'string', enum: [...STATUSES] });

const section = Type.Object(
  {
    message: Type.Optional(Type.String()),
    data: Type.Optional(anyObject),
    routes: Type.Optional(Type.Array(Type.Unsafe<string | null>({ type: ['string', 'null'] }))),
    literal: Type.Optional(Type.Boolean({ description: 'The data contains no templates' })),
    channels: Type.Optional(Type.Array(Type.String())),
  },
  { title: 'NotifySectionBody', additionalProperties: false },
);

const notify = Type.Object(
  {
    'on-complete': Type.Optional(section),
    'on-success': Type.Optional(section),
    'on-failure': Type.Optional(section),
  },
  { title: 'NotifySpecBody', additionalProperties: false },
);

/** The body of POST /executions. Clients send whole executions back, so fields that the system sets are ignored. */
export const executionBody = Type.Object(
  {
    action: Type.String(),
    parameters: Type.Optional(secretObject),
    user: Type.Optional(user),
    context: Type.Optional(secretObject),
    callback: Type.Optional(anyObject),
    notify: Type.Optional(notify),
    delay: Type.Optional(delay),
    priority: Type.Optional(Type.Integer({ minimum: -1000, maximum: 1000 })),
    pool: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' })),
    idempotent: Type.Optional(Type.Boolean()),
    result: Type.Optional(secretObject),
    id: Type.Optional(Type.String()),
    status: Type.Optional(statusSchema),
    start_timestamp: Type.Optional(Type.String()),
    end_timestamp: Type.Optional(Type.String()),
    action_is_workflow: Type.Optional(Type.Boolean()),
    runner_info: Type.Optional(anyObject),
  },
  { title: 'ExecutionBody' },
);

export interface ExecutionBody {
  readonly action: string;
  readonly parameters?: Record<string, unknown>;
  readonly user?: string | null;
  readonly context?: Record<string, unknown>;
  readonly callback?: Record<string, unknown>;
  readonly notify?: NotifySpec;
  readonly delay?: number;
  readonly priority?: number;
  readonly pool?: string;
  readonly idempotent?: boolean;
  readonly result?: Record<string, unknown>;
}

/** The body of POST /executions/{id}/re_run. */
export const rerunBody = Type.Object(
  {
    parameters: Type.Optional(secretObject),
    tasks: Type.Optional(Type.Array(Type.String())),
    reset: Type.Optional(Type.Array(Type.String())),
    user: Type.Optional(user),
    delay: Type.Optional(delay),
  },
  { title: 'RerunBody' },
);

/** The body of PUT /executions/{id}. */
export const changeBody = Type.Object(
  { status: statusSchema, result: Type.Optional(secretObject) },
  { title: 'ExecutionChange', additionalProperties: false },
);
