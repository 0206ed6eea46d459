import type { YaqlArguments, BinaryNode, Node } from '../syntax/nodes';
import { YaqlDict } from '../values/dict';
import { yaqlTruth } from '../values/kinds';
import type { Argument, ArgumentList } from './bind';
import { planFunction, planMethod } from './call-function';
import { noMatch } from './dispatch-failures';
import { element, property } from './access';
import { type Code, Frame } from './frame';
import type { Library } from './library';
import { binaryOperation, operatorName, unaryOperation } from './operators';

/** Compiles a tree to closures. Function calls are resolved here as far as possible. */
export function compile(node: Node, library: Library): Code {
  switch (node.kind) {
    case 'literal':
    case 'word': {
      const { value } = node;
      return () => value;
    }
    case 'variable':
      return variable(node.name);
    case 'group':
      return compile(node.inner, library);
    case 'list':
      return list(node.args, library);
    case 'map':
      return map(node.args, library);
    case 'call':
      return planFunction(node.name, compileArguments(node.args, library), library);
    case 'index':
      return index(compile(node.target, library), node.args, library);
    case 'unary':
      return unary(node.operator, compile(node.operand, library));
    case 'binary':
      return binary(node, library);
  }
}

function compileArguments(args: YaqlArguments, library: Library): ArgumentList {
  const argument = (node: Node): Argument => ({
    code: compile(node, library),
    literal: node.kind === 'literal' || node.kind === 'word' ? { value: node.value } : undefined,
    word: node.kind === 'word' ? node.value : undefined,
  });
  return {
    positional: args.positional.map((node) => node && argument(node)),
    rules: args.rules.map(({ key, value }) => ({ key: argument(key), value: argument(value) })),
  };
}

function variable(name: string): Code {
  if (name === '') return (frame) => frame.positional(0);
  if (!/^[1-9]\d{0,5}$/.test(name)) return (frame) => frame.named(name);
  const position = Number(name) - 1;
  return (frame) => frame.positional(position);
}

function list(args: YaqlArguments, library: Library): Code {
  const { positional, rules } = compileArguments(args, library);
  if (rules.length > 0 || positional.includes(undefined)) return fails('#list');
  const codes = positional.map((argument) => (argument as Argument).code);
  return (frame) => codes.map((code) => code(frame));
}

function map(args: YaqlArguments, library: Library): Code {
  const { positional, rules } = compileArguments(args, library);
  if (positional.length > 0) return fails('#map');
  const codes = rules.map(({ key, value }) => [key.code, value.code] as const);
  return (frame) => {
    const result = new YaqlDict();
    for (const [key, value] of codes) result.set(key(frame), value(frame));
    return result;
  };
}

function index(target: Code, args: YaqlArguments, library: Library): Code {
  const list = compileArguments(args, library);
  const [first] = list.positional;
  if (list.positional.length === 1 && list.rules.length === 0 && first !== undefined) {
    const { code } = first;
    return (frame) => element(target(frame), code(frame));
  }
  const positional = [{ code: target }, ...list.positional];
  return planFunction('#indexer', { positional, rules: list.rules }, library);
}

function unary(operator: string, operand: Code): Code {
  if (operator === 'not') return (frame) => !yaqlTruth(operand(frame));
  const operation = unaryOperation(operator);
  return (frame) => operation(operand(frame));
}

function binary(node: BinaryNode, library: Library): Code {
  if (node.operator === '.' || node.operator === '?.') return member(node, library);
  const left = compile(node.left, library);
  const right = compile(node.right, library);
  switch (node.operator) {
    case 'and':
      return (frame) => {
        const value = left(frame);
        return yaqlTruth(value) ? right(frame) : value;
      };
    case 'or':
      return (frame) => {
        const value = left(frame);
        return yaqlTruth(value) ? value : right(frame);
      };
    case '->':
      return (frame) => {
        const context = left(frame);
        if (!(context instanceof Frame)) throw noMatch({ name: operatorName('->') });
        return right(context);
      };
    default: {
      const operation = binaryOperation(node.operator);
      return (frame) => operation(left(frame), right(frame));
    }
  }
}

/** `a.b`, `a.b(…)`, and the same after `?.`, which passes null through. */
function member({ operator, left, right }: BinaryNode, library: Library): Code {
  const owner = compile(left, library);
  const access = accessOf(operator, right, library);
  if (operator === '.') return (frame) => access(owner(frame), frame);
  return (frame) => {
    const value = owner(frame);
    return value === null ? null : access(value, frame);
  };
}

function accessOf(operator: string, right: Node, library: Library): (owner: unknown, frame: Frame) => unknown {
  if (right.kind === 'word') {
    const name = right.value;
    return (owner) => property(owner, name);
  }
  if (right.kind !== 'call') return fails(operatorName(operator));
  const call = planMethod(right.name, compileArguments(right.args, library), library);
  return (owner, frame) => call(frame, owner);
}

function fails(name: string): () => never {
  return () => {
    throw noMatch({ name });
  };
}
