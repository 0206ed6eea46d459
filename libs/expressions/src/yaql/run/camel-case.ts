/** The name in YAQL of something with a Python name: `sort_keys` is `sortKeys`, trailing underscores are left out. */
export const camelCase = (name: string): string =>
  name.replace(/_+$/, '').replace(/(?!^)_([\p{L}\p{N}])/gu, (_all, letter: string) => letter.toUpperCase());
