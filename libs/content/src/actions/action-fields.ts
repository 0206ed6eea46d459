import type { ShapeFields } from '../check/shape';

const text = { type: 'string' } as const;

const section = {
  type: 'object',
  fields: {
    message: text,
    data: { type: 'object' },
    routes: { type: 'array', items: text },
    channels: { type: 'array', items: text },
  },
} as const;

/** Computed by the system; given values are ignored. */
const computedFields = { id: text, ref: text, uid: text } as const;

/** The allowed metadata of an action, in files and requests. */
export const actionFields = {
  name: text,
  runner_type: text,
  pack: text,
  description: text,
  enabled: { type: 'boolean' },
  entry_point: text,
  parameters: { type: 'object' },
  output_schema: { type: 'object', nullable: true },
  tags: {
    type: 'array',
    // Other members are ignored.
    items: { type: 'object', fields: { name: text, value: text }, open: true },
  },
  notify: {
    type: 'object',
    fields: { 'on-complete': section, 'on-success': section, 'on-failure': section },
  },
  idempotent: { type: 'boolean' },
  pool: text,
  metadata_file: { type: 'string', nullable: true },
  ...computedFields,
} as const satisfies ShapeFields;

export const REQUIRED_FIELDS: readonly string[] = ['name', 'runner_type'];

export const dataFileFields = {
  type: 'array',
  items: {
    type: 'object',
    fields: { file_path: text, content: text },
    required: ['file_path', 'content'],
  },
} as const;
