import { fault } from '@switchyard/base';
import { faultResponse } from '../../src/response/send-response';

it('faultResponse returns whole messages, but shortens one that quotes megabytes', () => {
  const told = (text: string) =>
    (faultResponse(fault('request.body', { text })).body as { faultstring: string }).faultstring;
  expect(told('x'.repeat(10_000))).toBe(`Failed to parse request body: ${'x'.repeat(10_000)}`);
  const long = told('x'.repeat(5_000_000));
  expect(long).toHaveLength(16_384 + '… [5000030 characters in total, truncated]'.length);
  expect(long).toMatch(/^Failed to parse request body: x+… \[5000030 characters in total, truncated\]$/);
});
