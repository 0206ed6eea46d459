/** Finds out from the output of pip, uv and compilers, line by line, why an installation failed. */
export interface FailureExplainer {
  add(line: string): void;
  /** One sentence without a full stop, such as `the package index has no package "x"`; undefined if the output does not say. */
  readonly reason: string | undefined;
}

/**
 * In order of precedence: causes come before their consequences. A missing header, for example, also makes the build
 * fail.
 */
const REASONS: readonly (readonly [pattern: RegExp, reason: (...parts: string[]) => string])[] = [
  [/No space left on device|\[Errno 28\]|os error 28/, () => 'the disk is full'],
  [/Disk quota exceeded/, () => 'the disk quota is exceeded'],
  [/Permission denied: '?([^'\s]+)/, (path) => `no permission to write ${path}`],
  [/\b401 Client Error|\b403 Client Error|401 Unauthorized|403 Forbidden/, () => 'the package index denies access'],
  [/DO NOT MATCH THE HASHES/, () => 'a downloaded package does not have the hash in the requirements'],
  [
    /[Ii]nvalid requirement: '?([^'\n]+)|Couldn't parse requirement in `([^`]+)`/,
    (pip, uv) => `"${pip || uv}" is not a valid requirement`,
  ],
  [
    /Could not open requirements file.*: '([^']+)'/,
    (file) => `the requirements name the file ${file}, which does not exist`,
  ],
  [
    /Package '?([\w.-]+)'? requires a different Python: (\S+) not in '([^']+)'/,
    (name, version, range) => `${name} does not support Python ${version}: it requires ${range}`,
  ],
  [
    /the current Python version \(([^)]+)\) does not satisfy Python([^\s,]+).*? (?:and|that) (\S+)/,
    (version, range, name) => `${name} does not support Python ${version}: it requires ${range}`,
  ],
  [
    /cannot import name '?\w+'? from '?collections|No module named '?(?:distutils|imp|asyncore|pipes|cgi)'?$|has no attribute 'ImpImporter'|use_2to3 is invalid|has no attribute 'SafeConfigParser'/,
    () => 'a package that must be built does not support this version of Python, which is too new for it',
  ],
  [
    /fatal error: '?([\w./+-]+\.(?:h|hpp|hxx))'?(?::| file)/,
    (header) =>
      header === 'Python.h'
        ? 'a package cannot be built because Python.h is missing: install the headers of Python (python3-dev)'
        : `a package cannot be built because the header file ${header} is missing: install the development package that contains it`,
  ],
  [/cannot find -l([\w+-]+)/, (library) => `a package cannot be built because the library ${library} is missing`],
  [
    /(?:command|unable to execute) '?([\w./+-]*(?:gcc|cc|g\+\+|c\+\+|clang))'?(?: failed)?: No such file/,
    (compiler) => `a package cannot be built because the compiler ${compiler} is missing`,
  ],
  [
    /can't find Rust compiler|Rust toolchain.* not (?:found|installed)/,
    () => 'a package cannot be built because the Rust compiler is missing',
  ],
  [
    /(\w+[-_]config)(?: executable)?:? (?:not found|command not found)|Cannot find command '(\w+)'|Can not find valid (pkg-config)/,
    (config, command, pkg) => `the program ${config || command || pkg} is missing`,
  ],
  [
    /Cannot install (.+?) because these package versions have conflicting dependencies/,
    (names) => `the requirements contradict each other: ${names}`,
  ],
  [
    /ResolutionImpossible|No solution found when resolving dependencies.*conflict/,
    () => 'the requirements contradict each other',
  ],
  ...repositoryReasons(),
  [
    /NewConnectionError|NameResolutionError|ConnectTimeoutError|Max retries exceeded|Connection refused|ProxyError|SSLError|error sending request|dns error|Could not connect/,
    () => 'the package index cannot be reached',
  ],
  [
    /Could not find a version that satisfies the requirement (.+?) \(from versions: none\)/,
    (requirement) => `the package index has no package for ${requirement}`,
  ],
  [
    /Could not find a version that satisfies the requirement (.+?) \(from versions: (.+)\)/,
    (requirement, versions) => `the package index has no version for ${requirement}; it has ${newest(versions)}`,
  ],
  [
    /Because (\S+) was not found in the (?:package registry|provided package locations)/,
    (name) => `the package index has no package for ${name}`,
  ],
  [/No matching distribution found for (.+)/, (requirement) => `the package index has no package for ${requirement}`],
  [/No solution found when resolving dependencies/, () => 'no versions of the packages meet the requirements'],
  [
    /Failed building wheel for (\S+)|Failed to build `?([^`\s]+)|Could not build wheels for ([^\s,]+)/,
    (wheel, built, pip) => `${wheel || built || pip} cannot be built`,
  ],
  [
    /metadata-generation-failed|Getting requirements to build wheel.*error|subprocess-exited-with-error/,
    () => 'a package cannot be built',
  ],
  [
    /No module named ensurepip|ensurepip is not available/,
    () => 'this Python lacks the modules that create environments: install them (python3-venv)',
  ],
];

/** What git says about repositories that requirements name. pip only adds that a program has failed. */
function repositoryReasons(): typeof REASONS {
  return [
    [
      /fatal: unable to access '([^']+?)\/?': (.+)/,
      (url, cause) => `the repository ${url} cannot be reached: ${cause}`,
    ],
    [
      /fatal: could not read (?:Username|Password) for '([^']+)'/,
      (server) => `a repository on ${server} does not exist, or needs a login`,
    ],
    [
      /fatal: (?:repository )?'([^']+?)\/?' (?:not found|does not exist|does not appear to be a git repository)/,
      (repository) => `there is no git repository ${repository}`,
    ],
    [
      /pathspec '([^']+)' did not match|couldn't find remote ref (?:refs\/tags\/|refs\/heads\/)?(\S+)/,
      (pip, uv) => `the repository has no branch, tag or commit "${pip || uv}"`,
    ],
  ];
}

export function createFailureExplainer(): FailureExplainer {
  let rank = REASONS.length;
  let reason: string | undefined;
  return {
    add(line) {
      const text = line.slice(0, LONGEST_LINE);
      for (const [at, [pattern, explain]] of REASONS.slice(0, rank).entries()) {
        const found = pattern.exec(text);
        if (!found) continue;
        rank = at;
        reason = explain(...found.slice(1).map((part: string | undefined) => part?.trim() ?? '')).slice(
          0,
          LONGEST_REASON,
        );
        return;
      }
    },
    get reason() {
      return reason;
    },
  };
}

const LONGEST_LINE = 4000;
const LONGEST_REASON = 400;

/** pip lists all versions, the newest one last. */
const newest = (versions: string): string => versions.split(', ').slice(-5).join(', ');
