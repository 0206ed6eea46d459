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
import type { State } from '../state/state';
import { findEntry } from './find-entry';
import { readVariables } from './read-variables';

/** Which run of a task is meant. */
export interface TaskReference {
  readonly task: string;
  readonly route: number;
  readonly round: number;
  /** Index of the entry. */
  readonly entry: number;
  readonly status: string;
  /** Whether it works on the items of a list. */
  readonly hasItems: boolean;
}

/** What expressions may ask for besides the state. All answer at once; a look-up may throw to be asked again later. */
export interface Lookups {
  readonly record?: (task: TaskReference) => TaskRecord | undefined;
  readonly datastore?: (key: DatastoreKey) => unknown;
}

/** What an expression stands in. */
export interface Surroundings {
  readonly variables: Values;
  readonly currentTask?: CurrentTask;
  readonly item?: unknown;
}

const NOTHING: Surroundings = { variables: {} };

/** Evaluates what the definition holds, against the state as it is. */
export class Evaluator {
  lookups: Lookups = {};
  private around: Surroundings = NOTHING;
  private readonly functions;
  /** What look-ups have given to the evaluation in progress. */
  private given: unknown[] = [];
  private decrypts = false;

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
    try {
      return evaluate(template, this.scope(around));
    } catch (error) {
      throw error instanceof ExpressionError && this.mayTellSecret(error) ? withoutValues(error, MASK) : error;
    }
  }

  /** Values that are not printed as they are, such as parts of them, could not be recognised in the text of a failure. */
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

  /** For templates of another kind: the same variables and functions. */
  scope(around: Surroundings): ExpressionScope {
    this.around = around;
    return { variables: around.variables, functions: this.functions, trail: this.trail };
  }

  /** What look-ups have given counts as well where an evaluation is not repeated. */
  private readonly trail: Trail = {
    taken: () =>
      this.given.length > 0 || this.decrypts ? { given: [...this.given], decrypts: this.decrypts } : undefined,
    lay: (taken) => {
      const { given, decrypts } = taken as { given: readonly unknown[]; decrypts: boolean };
      this.given.push(...given);
      this.decrypts ||= decrypts;
    },
  };

  /** Read through getters: one set of functions serves all expressions. */
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
    return this.noted(this.lookups.datastore?.(key));
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
