import { createContext, Script, type Context } from 'node:vm';

let script: Script | undefined;
let sandbox: (Context & { regexp?: RegExp; text?: string }) | undefined;

/**
 * Runs an expression for at most `limitMs`. A backtracking matcher honours V8's interrupts, which `vm` can request. The rest of
 * the process waits meanwhile.
 */
export function execWithin(regexp: RegExp, text: string, limitMs: number): RegExpExecArray | null | 'timeout' {
  script ??= new Script('regexp.exec(text)');
  sandbox ??= createContext({});
  sandbox.regexp = regexp;
  sandbox.text = text;
  try {
    return script.runInContext(sandbox, { timeout: limitMs }) as RegExpExecArray | null;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'timeout';
    throw thrown;
  } finally {
    delete sandbox.regexp;
    delete sandbox.text;
  }
}
