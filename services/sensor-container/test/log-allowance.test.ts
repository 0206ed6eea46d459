import { MINUTE_MS } from '@switchyard/base';
import { handClock } from '@switchyard/testkit/platform';
import { logAllowance } from '../src/log-allowance';

function allowance() {
  const clock = handClock();
  const told: string[] = [];
  const { take } = logAllowance(
    clock,
    () => told.push('too much'),
    (lines) => told.push(`${lines} left out`),
  );
  const many = (count: number, length: number) =>
    Array.from({ length: count }, () => take(length)).filter(Boolean).length;
  return { clock, told, many };
}

it.each([
  ['lines', 1500, 10, 1000],
  ['bytes', 100, 65_536, 16],
])('allows a sensor a limited number of %s per minute, and reports the rest', (_, count, length, written) => {
  const { clock, told, many } = allowance();
  expect(many(count, length)).toBe(written);
  expect(told).toEqual(['too much']);
  clock.advance(MINUTE_MS);
  expect(many(1, length)).toBe(1);
  expect(told).toEqual(['too much', `${count - written} left out`]);
});
