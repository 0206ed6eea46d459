import { join, resolve } from 'node:path';

/** The Python modules that packs import. */
export const PYTHON_MODULES = resolve(__dirname, '../../../../python');

/** The program that runs Python actions. */
const RUN_ACTION = join(PYTHON_MODULES, 'run_action.py');

export interface ProgramCommand {
  readonly file: string;
  readonly args: readonly string[];
}

/** The command line of an interpreter that runs one action. @param bytecode folder for the compiled form of our modules */
export const isolatedCommand = (python: string, bytecode: string): ProgramCommand => ({
  file: python,
  args: ['-u', RUN_ACTION, `--bytecode=${bytecode}`],
});

/** The command line of an interpreter that runs one action after the other. */
export const warmCommand = (python: string): ProgramCommand => ({
  file: python,
  args: ['-u', RUN_ACTION, '--warm'],
});
