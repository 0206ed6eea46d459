import type { ExpressionScope } from '../../evaluate/scope';
import { budget } from './budget';
import type { Library } from './library';

/** A compiled part of an expression. */
export type Code = (frame: Frame) => unknown;

/** A function made by `def`. */
export interface FunctionDefinition {
  readonly name: string;
  readonly body: Code;
  /** The frame of its definition; set afterwards, because the body sees the function itself. */
  frame: Frame | undefined;
  readonly outer: FunctionDefinition | undefined;
}

const NO_VALUES: readonly unknown[] = [];

/** Shared by all frames of an evaluation. */
export interface World {
  readonly scope: ExpressionScope;
  readonly library: Library;
}

/** The variables and functions visible to a part of an expression; lookups continue in the outer frame. */
export class Frame {
  constructor(
    readonly world: World,
    private readonly parent: Frame | undefined = undefined,
    /** `$1`, `$2`, …; `$` is the first. */
    private readonly args: readonly unknown[] = NO_VALUES,
    private readonly names: ReadonlyMap<string, unknown> | undefined = undefined,
    readonly definitions: FunctionDefinition | undefined = parent?.definitions,
  ) {}

  child(args: readonly unknown[], names?: ReadonlyMap<string, unknown>): Frame {
    return new Frame(this.world, this, args, names);
  }

  defining(name: string, body: Code): Frame {
    const definition: FunctionDefinition = { name, body, frame: undefined, outer: this.definitions };
    const frame = new Frame(this.world, this, NO_VALUES, undefined, definition);
    definition.frame = frame;
    return frame;
  }

  /** `$1` has index 0. Null if there is none. */
  positional(index: number): unknown {
    if (this.args.length > index) return this.args[index];
    return this.parent === undefined ? null : this.parent.positional(index);
  }

  named(name: string): unknown {
    if (this.names?.has(name) === true) return this.names.get(name);
    return this.parent === undefined ? this.hostVariable(name) : this.parent.named(name);
  }

  definition(name: string): FunctionDefinition | undefined {
    let found = this.definitions;
    while (found !== undefined && found.name !== name) found = found.outer;
    return found;
  }

  toString(): string {
    return '<context>';
  }

  private hostVariable(name: string): unknown {
    const { variables } = this.world.scope;
    if (name === '__vars') return variables;
    return HOST_VARIABLES.has(name) && Object.hasOwn(variables, name) ? (variables[name] ?? null) : null;
  }
}

const HOST_VARIABLES: ReadonlySet<string> = new Set(['__state', '__current_task', '__current_item']);

/** A lazy argument: evaluated when, and as often as, the function calls it. */
export class Lambda {
  constructor(
    private readonly code: Code,
    private readonly frame: Frame,
  ) {}

  /** Evaluates with `$1`, `$2`, … set; without arguments they keep their outer values. */
  call(...args: readonly unknown[]): unknown {
    budget().spend(1);
    return this.code(args.length === 0 ? this.frame : this.frame.child(args));
  }

  callNamed(args: readonly unknown[], names: ReadonlyMap<string, unknown>): unknown {
    budget().spend(1);
    return this.code(this.frame.child(args, names));
  }

  define(name: string): Frame {
    return this.frame.defining(name, this.code);
  }
}

/** `key => value` as an argument. */
export interface RuleArgument {
  readonly key: Lambda;
  readonly value: Lambda;
}
