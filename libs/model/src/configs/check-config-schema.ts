import { checkSchema, compileSchema, type Schema } from '../schema';
import { amongDefinitions, draft4Metaschema } from '../schema/draft4-metaschema';

/**
 * Checks the configuration schema of a pack: a schema for each attribute, in the users' dialect of draft 4.
 * @throws fault `schema.violated` with the `field`, `schema.invalid`, `regex.invalid`
 */
export function checkConfigSchema(attributes: unknown): asserts attributes is Record<string, Schema> {
  schemaOfAttributes.assert(attributes);
  checkSchema({ properties: attributes });
}

const draft4 = draft4Metaschema(true);

const schemaOfAttributes = compileSchema(
  {
    type: 'object',
    patternProperties: { '^\\w+$': { $ref: '#/definitions/schema' } },
    additionalProperties: false,
    definitions: {
      // Extensions of the dialect to draft 4.
      schema: amongDefinitions({
        ...draft4,
        properties: { ...(draft4.properties as Schema), secret: { type: 'boolean' } },
      }),
    },
  },
  { fillDefaults: false, pick: 'first' },
);
