import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder with recorded responses of StackStorm. Its README describes each file. */
export const RECORDED = join(__dirname, '../../../test/conformance/recorded');

/** Every line of a recorded `.jsonl` file. The caller names the type; it is not checked. */
export const recordedLines = <Line>(file: string): Line[] =>
  readFileSync(join(RECORDED, file), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Line);

/** A recorded file that is one JSON value. */
export const recordedJson = <Value>(file: string): Value =>
  JSON.parse(readFileSync(join(RECORDED, file), 'utf8')) as Value;
