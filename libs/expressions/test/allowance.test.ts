import { slices } from '@switchyard/base';
import { Allowance } from '../src/allowance';
import { evaluateYaql, inTurns } from '../src';

const LONG_WORK = 40;

function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}
