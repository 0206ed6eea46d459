export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable of this product, `SVC_<name>`, or its alias `ST2_<name>`. An empty one counts as not set. */
export const environmentValue = (env: Environment, name: string): string | undefined =>
  env[`SVC_${name}`] || env[`ST2_${name}`] || undefined;

/** A variable that other programs use too, in small or capital letters. */
export const sharedValue = (env: Environment, name: string): string | undefined =>
  env[name] || env[name.toUpperCase()] || undefined;
