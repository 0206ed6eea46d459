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
