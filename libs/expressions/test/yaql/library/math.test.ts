import { yaqlText } from '../../../src';
import { fails, testAnswers } from '../answers';
import { scopeOf } from '../host';

describe('arithmetic', () => {
  testAnswers([
    ['9 / 4', 2],
    ['-9 / 4', -3],
    ['9 / -4.0', -2.25],
    ['-9 mod 4', 3],
    ['9 mod -4', -3],
    ['-7.5 mod 2', 0.5],
    ['3 / 0', fails('ZeroDivisionError: integer division or modulo by zero')],
    ['3 mod 0', fails('ZeroDivisionError: integer modulo by zero')],
    ['3.0 / 0', fails('ZeroDivisionError: float division by zero')],
    ['3 mod 0.0', fails('ZeroDivisionError: float modulo')],
    ['9007199254740993 + 0', 9007199254740993n],
    ['9007199254740993 / 3', 3002399751580331],
    ['(9007199254740993 * 3) mod 10', 9],
    ['-9007199254740993 / 2', -4503599627370497],
    ["null + 'a'", fails('NoMatchingFunctionException: No function "#operator_+" matches supplied arguments')],
  ]);

  test.each([
    ['2 * 1.5', '3.0'],
    ['round(2.5)', '2.0'],
    ['round(-3.5)', '-4.0'],
    ['round(1.005, 2)', '1.0'],
    ['round(25, -1)', '20'],
    ['round(35, -1)', '40'],
    ['round(-25, -1)', '-20'],
    ['round(1250.0, -2)', '1200.0'],
    ['float(3)', '3.0'],
    ['-0.0', '-0.0'],
    ['pow(2, 0.5)', '1.4142135623730951'],
    ['int(1.0)', '1'],
    ['abs(-2.0)', '2.0'],
    ['1 - 1.0', '0.0'],
    ['pow(10, 20)', '100000000000000000000'],
    ['pow(10.0, 20)', '1e+20'],
  ])('%s keeps the type of its numbers: %s', (source, text) => {
    expect(yaqlText(source, scopeOf({}))).toBe(text);
  });
});

describe('functions', () => {
  testAnswers([
    ["int(' -1_000 ')", -1000],
    ["int('1__0')", fails("ValueError: invalid literal for int() with base 10: '1__0'")],
    ["int('123456789012345678901')", 123456789012345678901n],
    ["int(float('inf'))", fails('OverflowError: cannot convert float infinity to integer')],
    ["int(float('nan'))", fails('ValueError: cannot convert float NaN to integer')],
    ['int([])', fails("TypeError: int() argument must be a string, a bytes-like object or a real number, not 'tuple'")],
    ["float(' 1.5e-3 ')", 0.0015],
    ["float('.5') + float('5.') + float(true)", 6.5],
    ["float('1e')", fails("ValueError: could not convert string to float: '1e'")],
    ["float('-Infinity') < 0", true],
    ['bitwiseAnd(-1, 255) + bitwiseOr(1, 6) + bitwiseXor(5, 1)', 266],
    ['bitwiseNot(0)', -1],
    ['bitwiseAnd(pow(2, 70) + 3, 7)', 3],
    ['shiftBitsLeft(3, 70)', 3541774862152233910272n],
    ['shiftBitsRight(-1, 99)', -1],
    ['shiftBitsRight(1, 99999)', 0],
    ['shiftBitsLeft(1, -1)', fails('ValueError: negative shift count')],
    ['max(2, 2.0) = 2 and min(b, a) = a and max(null, null) = null', true],
    ['pow(3, -2)', 1 / 9],
    ['pow(7, 123, 13)', 5],
    ['pow(3, -1, 7)', 5],
    ['pow(2, -1, 4)', fails('ValueError: base is not invertible for the given modulus')],
    ['pow(2, 3, 0)', fails('ValueError: pow() 3rd argument cannot be 0')],
    ['pow(2.0, 3, 5)', fails('TypeError: pow() 3rd argument not allowed unless all arguments are integers')],
    ['pow(0, -1)', fails('ZeroDivisionError: 0.0 cannot be raised to a negative power')],
    ['pow(10.0, 400)', fails("OverflowError: (34, 'Numerical result out of range')")],
    ['sign(-3) + sign(0.0) + sign(2.5)', 0],
    ['random() < 1 and random() >= 0', true],
    ['range(50).select(random(3, 5)).all($ >= 3 and $ <= 5 and isInteger($))', true],
    ['isInteger(2) and not isInteger(2.0) and isNumber(2.0) and not isNumber(true)', true],
  ]);
});
