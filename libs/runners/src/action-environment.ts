/** Facts about an execution that its action receives. */
export interface ActionFacts {
  readonly pack: string;
  readonly executionId: string;
  /** Ends in `/v1`. */
  readonly apiUrl: string;
  /** Absent when the execution has no user. */
  readonly authToken?: string;
  readonly debug?: boolean;
}

/** This variable identifies all processes of an execution, including detached ones. */
export const EXECUTION_MARKER = 'SVC_ACTION_EXECUTION_ID';

const PREFIXES = ['SVC', 'ST2'] as const;

/** The environment variables of an action, with the prefixes of this product and of the reference. */
export function actionEnvironment(facts: ActionFacts): Record<string, string> {
  const variables: Record<string, string> = {
    ACTION_PACK_NAME: facts.pack,
    ACTION_EXECUTION_ID: facts.executionId,
    ACTION_API_URL: facts.apiUrl,
    ACTION_DEBUG: facts.debug === true ? 'True' : 'False',
    ...(facts.authToken !== undefined && { ACTION_AUTH_TOKEN: facts.authToken }),
  };
  return Object.fromEntries(
    PREFIXES.flatMap((prefix) => Object.entries(variables).map(([name, value]) => [`${prefix}_${name}`, value])),
  );
}

/**
 * The environment that actions inherit from the service: everything except its own options (`SVC_<SECTION>__<OPTION>`),
 * which may contain the passwords of the database and the message broker.
 */
export function serviceEnvironment(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const inherited: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !/^(SVC|ST2)_[A-Z0-9_]+?__[A-Z0-9_]+$/i.test(name)) inherited[name] = value;
  }
  return inherited;
}
