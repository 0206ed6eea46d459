/** Why a text cannot be read; for use within this folder. */
export class YamlProblem extends Error {
  constructor(
    reason: string,
    /** Where in the text, in characters. */
    readonly offset: number,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}
