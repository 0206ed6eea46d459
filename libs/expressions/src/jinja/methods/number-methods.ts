import { operation, type Operations } from '../run/operation';
import { asNumber, isFloat, type Numeric } from '../values/number';

/** The few methods of numbers that make sense in a template. */
export const numberMethods: Operations = {
  is_integer: operation([], (value: Numeric) => !isFloat(value) || Number.isInteger(asNumber(value))),
  bit_length: operation([], (value: Numeric) => {
    const whole = BigInt(Math.trunc(asNumber(value)));
    return whole === 0n ? 0 : (whole < 0n ? -whole : whole).toString(2).length;
  }),
};
