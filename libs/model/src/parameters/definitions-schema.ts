import type { Schema } from '../schema';
import {
  amongDefinitions,
  draft4Dependencies,
  draft4Keywords,
  draft4Metaschema,
  simpleTypes,
} from '../schema/draft4-metaschema';

const plain = build(true);
const dialect = build(false);

/** The schema of a set of parameter definitions. @param plainNested schemas inside a definition must be plain draft 4 */
export const definitionsSchema = (plainNested: boolean): Schema => (plainNested ? plain : dialect);

function build(plainNested: boolean): Schema {
  return {
    type: 'object',
    patternProperties: { '^\\w+$': { $ref: '#/definitions/parameter' } },
    additionalProperties: false,
    definitions: {
      schema: amongDefinitions(draft4Metaschema(!plainNested)),
      parameter: amongDefinitions({
        type: 'object',
        properties: {
          ...draft4Keywords,
          // A single alternative, because clients know the message that an alternative produces.
          type: { anyOf: [{ enum: simpleTypes }] },
          required: { type: 'boolean' },
          secret: { type: 'boolean' },
          immutable: { type: 'boolean' },
          position: { type: 'number', minimum: 0 },
        },
        dependencies: draft4Dependencies,
        additionalProperties: false,
      }),
    },
  };
}
