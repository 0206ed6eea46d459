const text = { type: 'string' };
const object = { type: 'object' };

const reference = (more: Record<string, unknown> = {}) => ({
  properties: { ref: { ...text, required: true }, parameters: { ...object, default: {} }, ...more },
  additionalProperties: false,
});

/** What clients and files say a rule is (interface sheet "events", 2.1). The order decides what is reported first. */
export const ruleShape = {
  type: 'object',
  properties: {
    id: text,
    ref: text,
    uid: text,
    name: { ...text, minLength: 1, required: true },
    pack: { ...text, pattern: '^[^.]+$', default: 'default' },
    description: text,
    type: { type: ['object', 'null'], ...reference(), default: { ref: 'standard', parameters: {} } },
    trigger: {
      ...object,
      required: true,
      properties: {
        type: { ...text, minLength: 1, required: true },
        parameters: { ...object, default: {} },
        ref: text,
        description: text,
      },
      additionalProperties: true,
    },
    criteria: { ...object, default: {} },
    action: { ...object, required: true, ...reference({ description: text }) },
    context: object,
    enabled: { type: 'boolean', default: false },
    tags: {
      type: 'array',
      items: {
        ...object,
        properties: { name: { ...text, required: true }, value: { ...text, required: true } },
        additionalProperties: false,
      },
    },
    metadata_file: text,
    correlation: object,
  },
  additionalProperties: false,
};
