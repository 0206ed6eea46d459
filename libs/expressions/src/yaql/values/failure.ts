/** An error inside an expression. `kind` is the error class named in the reference's messages. */
export class YaqlFailure extends Error {
  override readonly name = 'YaqlFailure';

  constructor(
    readonly kind: string,
    message: string,
    readonly position?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export const valueError = (text: string) => new YaqlFailure('ValueError', text);
export const typeError = (text: string) => new YaqlFailure('TypeError', text);
