/** A place in a text; line and column from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A definition that cannot be read at all. Inspection reports the problems of a readable one. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError';

  constructor(
    message: string,
    /** The place, if the definition was a text. */
    readonly position?: Position,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
