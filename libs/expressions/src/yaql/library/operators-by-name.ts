import { element, elementOr } from '../run/element';
import { binaryOperation, binaryOperators, operatorName, unaryOperation, unaryOperators } from '../run/operators';
import { define, type Overload } from '../run/overload';
import { truth } from '../values/truth';
import type { Lambda } from '../run/frame';

/** The operators under the names by which `call` reaches them. */
export const operatorFunctions: readonly Overload[] = [
  ...binaryOperators.map((name) => define(operatorName(name), 'F', 'left:any, right:any', binaryOperation(name))),
  ...unaryOperators.map((name) => define(`#unary_operator_${name}`, 'F', 'operand:any', unaryOperation(name))),
  define('#unary_operator_not', 'F', 'operand:any', (value: unknown) => !truth(value)),
  define('#operator_and', 'F', 'left:fn, right:fn', (left: Lambda, right: Lambda) => {
    const value = left.call();
    return truth(value) ? right.call() : value;
  }),
  define('#operator_or', 'F', 'left:fn, right:fn', (left: Lambda, right: Lambda) => {
    const value = left.call();
    return truth(value) ? value : right.call();
  }),
  define('#indexer', 'F', 'left:any, right:any', element),
  define('#indexer', 'F', 'left:any, right:any, default:any', elementOr),
];
