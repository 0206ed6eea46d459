import type { Keyword } from '../schema-site';
import { enumeration, reference, type } from './of-any-value';
import { additionalItems, items, maxItems, minItems, uniqueItems } from './of-lists';
import { maximum, minimum, multipleOf } from './of-numbers';
import { dependenciesKeyword, maxProperties, minProperties, properties, required } from './of-objects';
import { additionalProperties, patternProperties } from './of-other-properties';
import { allOf, anyOf, not, oneOf } from './of-schemas';
import { maxLength, minLength, pattern } from './of-texts';

/** The keywords that constrain a value. All others (`title`, `default`, `secret`, `position`, `format` …) have no effect on validity. */
export const keywords: ReadonlyMap<string, Keyword> = new Map(
  Object.entries({
    $ref: reference,
    type,
    enum: enumeration,
    minimum,
    maximum,
    multipleOf,
    minLength,
    maxLength,
    pattern,
    items,
    additionalItems,
    minItems,
    maxItems,
    uniqueItems,
    properties,
    patternProperties,
    additionalProperties,
    required,
    minProperties,
    maxProperties,
    dependencies: dependenciesKeyword,
    allOf,
    anyOf,
    oneOf,
    not,
  }),
);
