import type { Overload } from './overload';

/** The functions of the language by name, each with its overloads. */
export class Library {
  private readonly functions = new Map<string, Overload[]>();
  private readonly methods = new Map<string, Overload[]>();

  constructor(overloads: readonly Overload[]) {
    for (const overload of overloads) {
      for (const name of overload.names) {
        if (overload.isFunction) collect(this.functions, name, overload);
        if (overload.isMethod) collect(this.methods, name, overload);
      }
    }
  }

  /** The names of all functions, including operators. */
  get names(): string[] {
    return [...new Set([...this.functions.keys(), ...this.methods.keys()])];
  }

  function(name: string): readonly Overload[] | undefined {
    return this.functions.get(name);
  }

  method(name: string): readonly Overload[] | undefined {
    return this.methods.get(name);
  }
}

function collect(table: Map<string, Overload[]>, name: string, overload: Overload): void {
  const known = table.get(name);
  if (known === undefined) table.set(name, [overload]);
  else known.push(overload);
}
