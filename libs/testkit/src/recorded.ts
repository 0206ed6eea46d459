import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder with the recorded answers of the reference; its README says what each file holds. */
export const RECORDED = join(__dirname, '../../../test/conformance/recorded');

/** Every line of a recorded `.jsonl` file. The type is the caller's claim about what the file holds. */
export const recordedLines = <Line>(file: string): Line[] =>
  readFileSync(join(RECORDED, file), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Line);

/** A recorded file that is one JSON value. */
export const recordedJson = <Value>(file: string): Value =>
  JSON.parse(readFileSync(join(RECORDED, file), 'utf8')) as Value;
