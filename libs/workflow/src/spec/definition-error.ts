/** A place in a text, both from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A definition that cannot be read at all. What can be read but is wrong is reported by inspection. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError';

  constructor(
    message: string,
    /** Where in the text, when the definition came as one. */
    readonly position?: Position,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
