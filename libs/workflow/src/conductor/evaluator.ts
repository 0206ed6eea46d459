import { MASK, type SecretTexts } from '@switchyard/model';
import {
  evaluate,
  ExpressionError,
  withoutValues,
  workflowFunctions,
  type CurrentTask,
  type DatastoreKey,
  type ExpressionScope,
  type TaskRecord,
  type Trail,
} from '@switchyard/expressions';
import type { Values } from '../state/contexts';
import { type State, findEntry } from '../state/state';

/** A run of a task. */
export interface TaskReference {
  readonly task: string;
  readonly route: number;
  readonly round: number;
  /** Index of the entry. */
  readonly entry: number;
  readonly status: string;
  /** Whether it is a with-items task. */
  readonly hasItems: boolean;
}

/** What expressions can read besides the state. Look-ups are synchronous; one may throw to be called again later. */
export interface Lookups {
  readonly record?: (task: TaskReference) => TaskRecord | undefined;
  readonly datastore?: (key: DatastoreKey) => unknown;
}

/** The surroundings of an expression. */
export interface Surroundings {
  readonly variables: Values;
  readonly currentTask?: CurrentTask;
  readonly item?: unknown;
}

const NOTHING: Surroundings = { variables: {} };

/** Evaluates the templates of a definition against the current state. */
export class Evaluator {
  lookups: Lookups = {};
  private around: Surroundings = NOTHING;
  private readonly functions;
  /** Values that look-ups gave to the current evaluation. */
  private given: unknown[] = [];
  private decrypts = false;
  /** The same for the text of the template that is evaluated. */
  private textDecrypts = false;

  constructor(
    private readonly state: State,
    readonly secrets: SecretTexts,
  ) {
    this.functions = workflowFunctions(this.view());
  }

  /** @throws ExpressionError, or what a look-up throws */
  evaluate(template: unknown, around: Surroundings): unknown {
    this.given = [];
    this.decrypts = false;
    this.textDecrypts = false;
    try {
      return evaluate(template, this.scope(around));
    } catch (error) {
      throw error instanceof ExpressionError && this.mayTellSecret(error) ? withoutValues(error, MASK) : error;
    }
  }

  /** Secrets that are not printed verbatim, such as parts of secrets, cannot be found in an error text. */
  private mayTellSecret({ expression }: ExpressionError): boolean {
    if (this.decrypts) return true;
    const { item, variables, currentTask } = this.around;
    return this.secrets.holdsSecret([
      ...this.given,
      item,
      currentTask?.result,
      ...readVariables(expression, variables),
    ]);
  }

  /** The same variables and functions, for other kinds of templates. */
  scope(around: Surroundings): ExpressionScope {
    this.around = around;
    return { variables: around.variables, functions: this.functions, trail: this.trail, onValue: this.onValue };
  }

  /** What a text that decrypts something gives is as secret as what it decrypts. */
  private readonly onValue = (value: unknown): void => {
    if (this.textDecrypts) this.noteDecrypted(value);
    this.textDecrypts = false;
  };

  noteDecrypted(value: unknown): void {
    this.state.decrypted.note(value);
  }

  /** Replays what look-ups gave when an evaluation is not repeated. */
  private readonly trail: Trail = {
    taken: () =>
      this.given.length > 0 || this.decrypts ? { given: [...this.given], decrypts: this.decrypts } : undefined,
    lay: (taken) => {
      const { given, decrypts } = taken as { given: readonly unknown[]; decrypts: boolean };
      this.given.push(...given);
      this.decrypts ||= decrypts;
      this.textDecrypts ||= decrypts;
    },
  };

  /** Uses getters, so that one set of functions serves all expressions. */
  private view(): Parameters<typeof workflowFunctions>[0] {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- the getters have a `this` of their own
    const self = this;
    return {
      get variables() {
        return self.around.variables;
      },
      get item() {
        return self.around.item;
      },
      get currentTask() {
        return self.around.currentTask;
      },
      taskStatus: (id, route) => self.find(id, route)?.status ?? undefined,
      task: (id, route) => self.noted(self.record(id, route)),
      datastore: (key) => self.item(key),
    };
  }

  private item(key: DatastoreKey): unknown {
    this.decrypts ||= key.decrypt;
    const value = this.lookups.datastore?.(key);
    if (key.decrypt) {
      this.textDecrypts = true;
      this.noteDecrypted(value);
    }
    return this.noted(value);
  }

  private noted<T>(value: T): T {
    this.given.push(value);
    return value;
  }

  private find(id: string, route: number | undefined) {
    return findEntry(this.state, id, route ?? this.around.currentTask?.route ?? 0);
  }

  private record(id: string, route: number | undefined): TaskRecord | undefined {
    const entry = this.find(id, route);
    if (entry === undefined) return undefined;
    const { task, round, index, items } = entry;
    const status = entry.status ?? 'null';
    return this.lookups.record?.({
      task,
      route: entry.route,
      round,
      entry: index,
      status,
      hasItems: items !== undefined,
    });
  }
}

/** `ctx(name)`, `ctx('name')` and `ctx().name` without a following call: reads that the text itself determines. */
const NAMED = /(?<![.|]\s*)\bctx\(\s*(?:(\w+)\s*\)|'(\w+)'\s*\)|"(\w+)"\s*\)|\)\s*\.\s*(\w+)\b(?!\s*\())/g;
const ANY = /\bctx\b|\$__vars/;

/** The variables that an expression reads: those it names, or all if the text does not determine them. */
function readVariables(expression: string, variables: Values): unknown[] {
  const names: string[] = [];
  const rest = expression.replace(NAMED, (_, ...[a, b, c, d]: (string | undefined)[]) => {
    names.push((a ?? b ?? c ?? d)!);
    return '';
  });
  const all = ANY.test(rest) ? Object.keys(variables) : names;
  return all.filter((name) => Object.hasOwn(variables, name)).map((name) => variables[name]);
}
