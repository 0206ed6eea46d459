export {
  checkSchema,
  compileSchema,
  type CompiledSchema,
  type SchemaOptions,
  type SchemaOutcome,
  type SchemaViolation,
} from './compile-schema';
export { fillDefaults } from './fill-defaults';
export { sameJson } from './json-types';
export { pythonRepr, pythonStr, pythonTypeName } from './python-repr';
export { guardedRegExp, type GuardedRegExp } from './regex';
export type { ValuePath, Schema } from './violation';
