import { secretNameTest } from '@switchyard/model';

/** The model's test for secret names, which remembers its answers: the same few names come in every line. */
export function rememberingSecretNames(extraNames: readonly string[]): (name: string) => boolean {
  const test = secretNameTest(extraNames);
  const answers = new Map<string, boolean>();
  return (name) => {
    const known = answers.get(name) ?? test(name);
    // Names may come from users' data; their number has no bound.
    if (answers.size >= MOST_NAMES) answers.clear();
    answers.set(name, known);
    return known;
  };
}

const MOST_NAMES = 10_000;
