import { asBigInt, type Int, asInt } from '../../jinja/values/number';
import { budget } from '../run/budget';
import type { Lambda } from '../run/frame';
import { define, type Overload } from '../run/overload';
import { typeError, valueError } from '../values/failure';
import { isYaqlIterable, yaqlTruth } from '../values/kinds';
import { Lazy, SetValue } from '../values/collections';

/** Functions that generate iterators. */
export const generatorFunctions: readonly Overload[] = [
  define('range', 'F', 'stop:int', (stop: Int) => new Lazy(range(0, stop, 1))),
  define('range', 'F', 'start:int, stop:int, step:int=1', (start: Int, stop: Int, step: Int) => {
    if (Number(step) === 0) throw valueError('range() arg 3 must not be zero');
    return new Lazy(range(start, stop, step));
  }),
  define('sequence', 'F', 'start:int=0, step:int=1', (start: Int, step: Int) => new Lazy(sequence(start, step))),
  define('repeat', 'M', 'value:any, times:count=-1', (value: unknown, times: number) => new Lazy(repeat(value, times))),
  define('generate', 'F', 'initial:any, predicate:fn, producer:fn, selector:fn=null, decycle:bool=false',
    (initial: unknown, predicate: Lambda, producer: Lambda, selector: Lambda | null, decycle: boolean) =>
      new Lazy(generate(initial, predicate, producer, selector, decycle))),
  define('generateMany', 'F', 'initial:any, producer:fn, selector:fn=null, decycle:bool=false, depthFirst:bool=false',
    (initial: unknown, producer: Lambda, selector: Lambda | null, decycle: boolean, depthFirst: boolean) =>
      new Lazy(generateMany(initial, producer, selector, decycle, depthFirst))),
]; // oxfmt-ignore

function* range(start: Int, stop: Int, step: Int): Generator<unknown> {
  const up = Number(step) > 0;
  let value = start;
  while (up ? value < stop : value > stop) {
    yield value;
    value = plus(value, step);
  }
}

function* sequence(start: Int, step: Int): Generator<unknown> {
  for (let value = start; ; value = plus(value, step)) yield value;
}

function plus(a: Int, b: Int): Int {
  const sum = Number(a) + Number(b);
  return Number.isSafeInteger(sum) ? sum : asInt(asBigInt(a) + asBigInt(b));
}

function* repeat(value: unknown, times: number): Generator<unknown> {
  for (let index = 0; times < 0 || index < times; index += 1) yield value;
}

function* generate(
  initial: unknown,
  predicate: Lambda,
  producer: Lambda,
  selector: Lambda | null,
  decycle: boolean,
): Generator<unknown> {
  const past = new SetValue();
  for (let value = initial; yaqlTruth(predicate.call(value)); value = producer.call(value)) {
    if (decycle && !past.add(value)) return;
    yield selector === null ? value : selector.call(value);
  }
}

function* generateMany(
  initial: unknown,
  producer: Lambda,
  selector: Lambda | null,
  decycle: boolean,
  depthFirst: boolean,
): Generator<unknown> {
  const past = new SetValue();
  // Depth first takes from the end, so children are added in reverse order.
  const waiting: unknown[] = [initial];
  for (let at = 0; depthFirst ? waiting.length > 0 : at < waiting.length; at += 1) {
    const item = depthFirst ? waiting.pop() : waiting[at];
    if (decycle && !past.add(item)) continue;
    yield selector === null ? item : selector.call(item);
    const produced = producer.call(item);
    if (!isYaqlIterable(produced)) throw typeError('The producer of generateMany must return a collection');
    const children = Array.from(produced);
    budget().collection(waiting.length + children.length, 0);
    for (const child of depthFirst ? children.reverse() : children) waiting.push(child);
  }
}
