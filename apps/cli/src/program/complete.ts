import type { Argument, Command, Option } from 'commander';
import { normaliseArguments } from './normalise-arguments';

export interface CompletionCandidate {
  readonly text: string;
  readonly description: string;
}

export interface Completion {
  readonly candidates: readonly CompletionCandidate[];
  /** Whether file names are possible as well. */
  readonly files: boolean;
}

/**
 * Completes the word `current` after the words before it. The candidates come from the definitions of the commands, which
 * also parse the command line and print the help.
 */
export function completeWords(program: Command, before: readonly string[], current: string): Completion {
  const place = placeAfter(program, normaliseArguments(before));
  if (!place) return NOTHING;
  const { command, operands, literal } = place;
  if (place.option) return beginningWith(current, valuesOf(place.option, valueName(place.option)));
  if (!literal && current.startsWith('-')) return optionWord(command, current);
  const commands = command.createHelp().visibleCommands(command);
  if (commands.length > 0)
    return beginningWith(current, {
      candidates: commands.map((each) => ({ text: each.name(), description: each.description() })),
      files: false,
    });
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  const argument = registeredArguments[operands] ?? (last?.variadic ? last : undefined);
  return argument ? beginningWith(current, valuesOf(argument, argument.name(), current)) : NOTHING;
}

const NOTHING: Completion = { candidates: [], files: false };

interface Place {
  readonly command: Command;
  /** The option whose value is expected next. */
  readonly option?: Option;
  /** The number of arguments before the current word. */
  readonly operands: number;
  /** After `--` words are no longer options. */
  readonly literal: boolean;
}

/** @returns undefined after an unknown command */
function placeAfter(program: Command, words: readonly string[]): Place | undefined {
  let place: Place = { command: program, operands: 0, literal: false };
  for (const word of words) {
    const { command, operands, literal, option } = place;
    if (option) place = { command, operands, literal };
    else if (!literal && word === '--') place = { ...place, literal: true };
    else if (!literal && /^-./.test(word)) {
      const known = optionsOf(command).find(({ short, long }) => word === short || word === long);
      if (known?.required) place = { ...place, option: known };
    } else if (command.commands.length > 0) {
      const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
      if (!next) return undefined;
      place = { command: next, operands: 0, literal };
    } else place = { ...place, operands: operands + 1 };
  }
  return place;
}

/** Options of parent commands are also allowed after the command. */
const optionsOf = (command: Command): Option[] => [
  ...command.createHelp().visibleOptions(command),
  ...(command.parent ? optionsOf(command.parent).filter(({ long }) => long !== '--help') : []),
];

function optionWord(command: Command, current: string): Completion {
  const equals = current.indexOf('=');
  if (equals < 0) {
    const candidates = optionsOf(command).flatMap(({ short, long, description }) =>
      [short, long].flatMap((text) => (text === undefined ? [] : [{ text, description }])),
    );
    return beginningWith(current, { candidates, files: false });
  }
  const name = current.slice(0, equals);
  const option = optionsOf(command).find(({ long }) => long === name);
  if (!option) return NOTHING;
  const { candidates, files } = valuesOf(option, valueName(option));
  const whole = candidates.map(({ text, description }) => ({ text: `${name}=${text}`, description }));
  return beginningWith(current, { candidates: whole, files });
}

/** In `-n, --last <count>`: `count`. */
const valueName = ({ flags }: Option): string => /[<[]([^>\]]*)[>\]]$/.exec(flags)?.[1] ?? '';

/** @param name of the value in the help; a file name follows `@key=` */
function valuesOf({ argChoices = [] }: Argument | Option, name: string, current = ''): Completion {
  const candidates = argChoices.map((text) => ({ text, description: '' }));
  const files = /\b(file|path|directory)\b/.test(name) || (name === 'parameters' && /^@[^=]+=/.test(current));
  return { candidates, files };
}

const beginningWith = (current: string, { candidates, files }: Completion): Completion => ({
  candidates: candidates.filter(({ text }) => text.startsWith(current)),
  files,
});
