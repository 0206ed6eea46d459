import { randomHex } from '@switchyard/base';

/** The longest Windows command line, characters. */
const LONGEST_COMMAND = 8191;
const CHUNK_BYTES = 2048;

/** The command lines to run on the host, in order. `remove` runs last, whatever happened before. */
export interface PowerShellSteps {
  readonly upload: readonly string[];
  readonly run: string;
  readonly remove?: string;
}

/** Converts PowerShell code to command lines. Code that is too long for one command line is copied to a file and read from there. */
export function powerShellSteps(text: string): PowerShellSteps {
  const run = encodedCommand(text);
  return run.length <= LONGEST_COMMAND ? { upload: [], run } : stepsByFile(text);
}

const encodedCommand = (text: string): string =>
  `powershell -encodedcommand ${Buffer.from(text, 'utf16le').toString('base64')}`;

/** Reads the file as text instead of starting it, so that execution policies do not apply. */
function stepsByFile(text: string): PowerShellSteps {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / CHUNK_BYTES) }, (_, at) =>
    bytes.subarray(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES).toString('base64'),
  );
  const name = `svc-${randomHex(16)}`;
  const place = `$p=[IO.Path]::GetTempPath()+'${name}';`;
  const strict = "$ErrorActionPreference='Stop';";
  return {
    upload: chunks.map((chunk) =>
      encodedCommand(
        `${strict}${place}[void][IO.Directory]::CreateDirectory($p);$b=[Convert]::FromBase64String('${chunk}');` +
          "$f=[IO.File]::Open($p+'\\script.ps1','Append');$f.Write($b,0,$b.Length);$f.Close()",
      ),
    ),
    // Uses no variable, because the script would see it.
    run: encodedCommand(
      `& ([ScriptBlock]::Create([IO.File]::ReadAllText([IO.Path]::GetTempPath()+'${name}\\script.ps1')))`,
    ),
    remove: encodedCommand(`${strict}${place}if([IO.Directory]::Exists($p)){[IO.Directory]::Delete($p,$true)}`),
  };
}
