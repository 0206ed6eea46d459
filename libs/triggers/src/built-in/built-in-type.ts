/** A trigger type that comes with the product; all of them are in the pack `core`. */
export interface BuiltInType {
  readonly ref: string;
  readonly description: string;
  readonly payload_schema: Readonly<Record<string, unknown>>;
  /** Absent: there is one trigger, of the type's own name. */
  readonly parameters_schema?: Readonly<Record<string, unknown>>;
}
