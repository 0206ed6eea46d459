import { Argument, type Command } from 'commander';
import { completeWords, type Completion } from '../program/complete';
import type { CommandContext } from '../program/command-context';

/** `svc completion SHELL` prints a script. With it, the shell calls `svc completion SHELL -- WORDS` for candidates. */
export function defineCompletion(command: Command, { terminal }: CommandContext): void {
  command
    .addArgument(new Argument('<shell>', 'name of the shell').choices(Object.keys(shells)))
    .argument('[words...]', 'after --: the words after svc. Prints the candidates for the last one')
    .addHelpText('after', HOW_TO)
    .action((name: keyof typeof shells, words: string[]) => {
      const { script, line } = shells[name];
      if (words.length === 0) return void terminal.stdout.write(script);
      // The program has all groups, but only the groups among the words have their commands.
      const found = completeWords(command.parent ?? command, words.slice(0, -1), words.at(-1) ?? '');
      terminal.stdout.write(linesOf(found, line));
    });
}

const HOW_TO = `
bash: add this line to ~/.bashrc
  source <(svc completion bash)
zsh: add this line to ~/.zshrc, after compinit
  source <(svc completion zsh)
fish:
  svc completion fish > ~/.config/fish/completions/svc.fish`;

/** The first line of the answer if file names are possible as well. */
const FILES = ':files';

const linesOf = ({ candidates, files }: Completion, line: ShellLine): string =>
  [...(files ? [FILES] : []), ...candidates.map(({ text, description }) => line(text, description))]
    .map((each) => `${each}\n`)
    .join('');

type ShellLine = (text: string, description: string) => string;

/** Bash also starts a new word at = and :, and replaces only the part after it. */
const BASH = `_switchyard_svc() {
  local line="\${COMP_LINE:0:COMP_POINT}" words current kept answer
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  current="\${words[\${#words[@]} - 1]}"
  kept="\${current%"\${current##*[=:]}"}"
  COMPREPLY=()
  while IFS= read -r answer; do
    if [[ $answer == ${FILES} ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r answer; do COMPREPLY+=("$answer"); done < <(compgen -f -- "\${current##*=}")
    else
      COMPREPLY+=("\${answer#"$kept"}")
    fi
  done < <("\${1/#\\~/$HOME}" completion bash -- "\${words[@]:1}" 2>/dev/null)
}
complete -F _switchyard_svc svc
`;

const ZSH = `#compdef svc
_switchyard_svc() {
  local -a answers
  answers=("\${(@f)$("\${(Q)words[1]/#\\~/$HOME}" completion zsh -- "\${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  if [[ $answers[1] == ${FILES} ]]; then
    shift answers
    compset -P '*='
    _files
  fi
  answers=(\${answers:#})
  (( $#answers )) && _describe 'svc' answers
}
if [[ $funcstack[1] == _svc ]]; then _switchyard_svc "$@"; else compdef _switchyard_svc svc; fi
`;

const FISH = `function __switchyard_svc
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l svc $words[1]
    set -e words[1]
    for answer in ($svc completion fish -- $words "$current" 2>/dev/null)
        if test "$answer" = ${FILES}
            set -l kept (string match -r '^.*=' -- $current)
            for path in (__fish_complete_path (string replace -r '^.*=' '' -- $current))
                echo "$kept$path"
            end
        else
            echo $answer
        end
    end
end
complete -c svc -f -a '(__switchyard_svc)'
`;

const shells = {
  bash: { script: BASH, line: (text: string) => text },
  zsh: {
    script: ZSH,
    line: (text: string, description: string) => {
      const name = text.replace(/[\\:]/g, '\\$&');
      return description === '' ? name : `${name}:${description}`;
    },
  },
  fish: { script: FISH, line: (text: string, description: string) => `${text}\t${description}` },
} as const;
