import type { ExpressionScope } from '../../evaluate/scope';
import { budget } from './budget';
import type { Library } from './library';

/** A piece of an expression, ready to run. */
export type Code = (frame: Frame) => unknown;

/** A function that `def` has made. */
export interface Definition {
  readonly name: string;
  readonly body: Code;
  /** Where it was made; set once, for the body sees the function itself. */
  frame: Frame | undefined;
  readonly outer: Definition | undefined;
}

const NO_VALUES: readonly unknown[] = [];

/** What all frames of an evaluation share. */
export interface World {
  readonly scope: ExpressionScope;
  readonly library: Library;
}

/** The variables and functions that a part of an expression sees; what a frame lacks is in one further out. */
export class Frame {
  constructor(
    readonly world: World,
    private readonly parent: Frame | undefined = undefined,
    /** `$1`, `$2`, …; `$` is the first. */
    private readonly args: readonly unknown[] = NO_VALUES,
    private readonly names: ReadonlyMap<string, unknown> | undefined = undefined,
    readonly definitions: Definition | undefined = parent?.definitions,
  ) {}

  child(args: readonly unknown[], names?: ReadonlyMap<string, unknown>): Frame {
    return new Frame(this.world, this, args, names);
  }

  defining(name: string, body: Code): Frame {
    const definition: Definition = { name, body, frame: undefined, outer: this.definitions };
    const frame = new Frame(this.world, this, NO_VALUES, undefined, definition);
    definition.frame = frame;
    return frame;
  }

  /** `$1` has index 0. Null where there is none. */
  positional(index: number): unknown {
    if (this.args.length > index) return this.args[index];
    return this.parent === undefined ? null : this.parent.positional(index);
  }

  named(name: string): unknown {
    if (this.names?.has(name) === true) return this.names.get(name);
    return this.parent === undefined ? this.hostVariable(name) : this.parent.named(name);
  }

  definition(name: string): Definition | undefined {
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

/** An argument that is evaluated when, and as often as, the function asks for it. */
export class Lambda {
  constructor(
    private readonly code: Code,
    private readonly frame: Frame,
  ) {}

  /** With `$1`, `$2`, … set; without arguments they keep their outer values. */
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
