/** Something in the configuration that needs attention. Its message contains no secret value. */
export interface ConfigFinding {
  /**
   * `invalid` and `unreadable` prevent a start or a part of the system from working; a setting with an `unknown` name is lost;
   * `no-effect` and `deprecated` names are accepted.
   */
  readonly kind: 'invalid' | 'unreadable' | 'unknown' | 'no-effect' | 'deprecated';
  readonly message: string;
  /** Where it was set: `svc.conf line 3`. */
  readonly origins: readonly string[];
  /** The file or directory that cannot be read. */
  readonly path?: string;
}

/** Receives each error of a configuration. It may throw it, which ends the reading. */
export type OnProblem = (problem: unknown) => void;

export const throwProblem: OnProblem = (problem) => {
  throw problem;
};
