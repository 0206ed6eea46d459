import { existsSync } from 'node:fs';
import type { Config } from './config';
import type { OnProblem } from './config-finding';
import { readConfigFile } from './read-file';

/** Where a handler of a logging file writes, and what. */
export interface LoggingHandler {
  readonly level: 'audit' | 'error' | 'warn' | 'info' | 'debug';
  readonly format: 'console' | 'json' | 'gelf';
  /** A path with placeholders, or a stream of the process. */
  readonly target: { readonly file: string } | 'stdout' | 'stderr';
}

export interface LoggingFile {
  /** Empty if the file does not exist or none of its handlers can be used: then `[log]` applies. */
  readonly handlers: readonly LoggingHandler[];
  /** Which parts of the file have no effect, and why. */
  readonly warnings: readonly string[];
}

/** The option of each service, and its value. */
const FILES: Readonly<Record<string, readonly [option: string, value: (config: Config) => string | null]>> = {
  api: ['api.logging', ({ api }) => api.logging],
  auth: ['auth.logging', ({ auth }) => auth.logging],
  stream: ['stream.logging', ({ stream }) => stream.logging],
  scheduler: ['scheduler.logging', ({ scheduler }) => scheduler.logging],
  'action-runner': ['actionrunner.logging', ({ actionrunner }) => actionrunner.logging],
  'workflow-engine': ['workflow_engine.logging', (config) => config.workflow_engine.logging],
  'rules-engine': ['rulesengine.logging', ({ rulesengine }) => rulesengine.logging],
  timers: ['timersengine.logging', ({ timersengine }) => timersengine.logging],
  'sensor-container': ['sensorcontainer.logging', ({ sensorcontainer }) => sensorcontainer.logging],
  notifier: ['notifier.logging', ({ notifier }) => notifier.logging],
  'garbage-collector': ['garbagecollector.logging', ({ garbagecollector }) => garbagecollector.logging],
};

/**
 * The logging file of the service that a process runs. A process with several services has one log, which `[log]` sets.
 * @param service the name of a service, or of a process with several
 * @throws config.unreadable-file, config.syntax
 */
export function loggingFileOf(config: Config, service: string): LoggingFile {
  const [option, value] = FILES[service] ?? [];
  if (option && value) return fileOf(option, value(config));
  const unused = Object.values(FILES).flatMap(([name, valueIn]) => (valueIn(config) === null ? [] : [name]));
  if (unused.length === 0) return { handlers: [], warnings: [] };
  const reason = 'not used, since this process runs several services. [log] sets its log';
  return { handlers: [], warnings: [`${unused.join(', ')}: ${reason}.`] };
}

/** What is not used of the logging files of all services, and why. Missing files are not reported. */
export function loggingFileWarnings(config: Config, onProblem: OnProblem): string[] {
  const warnings = Object.values(FILES).flatMap(([option, value]) => {
    const path = value(config);
    if (path === null || !existsSync(path)) return [];
    try {
      return fileOf(option, path).warnings;
    } catch (error) {
      onProblem(error);
      return [];
    }
  });
  return warnings;
}

function fileOf(option: string, path: string | null): LoggingFile {
  if (path === null) return { handlers: [], warnings: [] };
  if (!existsSync(path)) return { handlers: [], warnings: [`${option}: ${path} does not exist. [log] sets the log.`] };
  const { handlers, warnings } = readLoggingFile(path);
  const unusable = handlers.length === 0 ? [`${path} has no handler that can be used. [log] sets the log.`] : [];
  return { handlers, warnings: [...warnings, ...unusable].map((text) => `${option}: ${text}`) };
}

type Sections = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** Reads the handlers of the root logger from a file in the format of Python's `logging.config.fileConfig`. */
function readLoggingFile(path: string): LoggingFile {
  const sections = sectionsOf(path);
  const root = sections.get('logger_root') ?? {};
  const handlers: LoggingHandler[] = [];
  const warnings: string[] = [];
  for (const name of namesIn(root['handlers'])) {
    const handler = handlerOf(sections, name, root['level']);
    if (typeof handler === 'string') warnings.push(`handler ${name} in ${path} is not used: ${handler}.`);
    else handlers.push(handler);
    if (/Rotating/.test(sections.get(`handler_${name}`)?.['class'] ?? ''))
      warnings.push(`handler ${name} in ${path} does not rotate its file. Rotate it with logrotate and SIGUSR1.`);
  }
  return { handlers, warnings };
}

function sectionsOf(path: string): Sections {
  const sections = new Map<string, Record<string, string>>();
  for (const { section, option, value } of readConfigFile(path)) {
    const entries = sections.get(section) ?? {};
    sections.set(section, { ...entries, [option.toLowerCase()]: String(value) });
  }
  return sections;
}

const namesIn = (list = ''): string[] => list.split(',').flatMap((name) => name.trim() || []);

/** The handler, or the reason why it cannot be used. */
function handlerOf(sections: Sections, name: string, rootLevel = 'WARNING'): LoggingHandler | string {
  const section = sections.get(`handler_${name}`);
  if (!section) return `it has no section [handler_${name}]`;
  const target = targetOf(section['class'] ?? '', section['args'] ?? '()');
  if (target === undefined) return `the class ${section['class'] ?? '(missing)'} is not supported`;
  const levels = [rootLevel, section['level'] ?? 'NOTSET'].map((level) => RANKS.indexOf(level.trim().toUpperCase()));
  if (levels.includes(-1)) return `unknown level; expected one of ${RANKS.join(', ')}`;
  const formatter = sections.get(`formatter_${section['formatter']?.trim()}`)?.['class'] ?? '';
  return { level: LEVELS[Math.max(...levels)]!, format: formatOf(formatter), target };
}

const RANKS = ['NOTSET', 'DEBUG', 'INFO', 'WARN', 'WARNING', 'ERROR', 'CRITICAL', 'FATAL', 'AUDIT'];
const LEVELS = ['debug', 'debug', 'info', 'warn', 'warn', 'error', 'error', 'error', 'audit'] as const;

/** @param args a tuple in Python's notation, such as `(sys.stdout,)` or `("/var/log/st2/st2auth.log", "a")` */
function targetOf(className: string, args: string): LoggingHandler['target'] | undefined {
  const kind = className.trim().split('.').at(-1)!;
  if (kind === 'StreamHandler') return /sys\.stdout/.test(args) ? 'stdout' : 'stderr';
  const file = /^\(\s*(["'])(.+?)\1/.exec(args)?.[2];
  return FILE_HANDLERS.has(kind) && file !== undefined ? { file } : undefined;
}

const FILE_HANDLERS = new Set([
  'FileHandler',
  'FormatNamedFileHandler',
  'WatchedFileHandler',
  'RotatingFileHandler',
  'TimedRotatingFileHandler',
]);

function formatOf(formatter: string): LoggingHandler['format'] {
  if (/gelf/i.test(formatter)) return 'gelf';
  return /json/i.test(formatter) ? 'json' : 'console';
}
