import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files of a kind in a folder, such as `yaql.jsonl` and `yaql-more.jsonl`. Empty if the folder does not exist. */
export function filesOf(folder: string, name: RegExp): string[] {
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith('.jsonl') && name.test(file))
        .sort()
    : [];
}

/** Every line of a file, parsed as JSON. */
export const linesOf = (folder: string, file: string): unknown[] =>
  readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as unknown);
