import { fault, SECOND_MS } from '@switchyard/base';
import type { Logger } from '@switchyard/telemetry';
import { numberArgument, optional, readArguments, type BackendArgument } from '../backend-arguments';
import type { PasswordBackend } from '../password-backend';
import { askAtStart, pamQuestions, type PamQuestion } from './pam-question';

const MOST_SECONDS = 3600;

/** PAM would read capitals as lower-case letters, and only the part after the last slash. */
const serviceArgument: BackendArgument<string> = {
  expected: 'the name of a file in /etc/pam.d, in lower case',
  read: (value) => (typeof value === 'string' && /^[a-z0-9_][a-z0-9_.-]{0,63}$/.test(value) ? value : undefined),
};

/** `auth.backend_kwargs` of the backend `pam`. The default service is the same as in StackStorm. */
const pamArguments = {
  service: optional(serviceArgument, 'login'),
  timeout: optional(
    numberArgument(`seconds above 0, at most ${MOST_SECONDS}`, (seconds) => seconds > 0 && seconds <= MOST_SECONDS),
    30,
  ),
};

/** What the backend needs from the machine. */
export interface PamMachine {
  readonly isRoot: boolean;
  /** Finds a program on the system's path. */
  readonly python: string;
  readonly library: string;
}

const thisMachine = (): PamMachine => ({
  isRoot: process.geteuid?.() === 0,
  python: 'python3',
  library: 'libpam.so.0',
});

/**
 * Checks passwords and accounts with PAM, as logins on this machine do. The groups are those of the system.
 * @param given `auth.backend_kwargs`
 * @throws Fault `config.conflict` also when the process is not root, or when Python, PAM or the service is missing
 */
export function createPamBackend(
  given: Readonly<Record<string, unknown>>,
  logger: Pick<Logger, 'info'>,
  { isRoot, python, library }: PamMachine = thisMachine(),
): PasswordBackend {
  const { service, timeout } = readArguments('pam', pamArguments, given);
  if (!isRoot) {
    throw unusable('it must run as root, because only root may check the passwords of other users');
  }
  const readiness = askAtStart(python, { ask: 'start', library, service });
  if (readiness.outcome !== 'right') throw unusable(readiness.reason);
  const questions = pamQuestions(python, timeout * SECOND_MS);
  const ask = async (question: PamQuestion) => {
    const answer = await questions.ask(question);
    if (answer.outcome !== 'unavailable') return answer;
    throw fault('auth.backend-unavailable', { name: 'pam' }, { cause: new Error(answer.reason) });
  };
  return {
    async authenticate(user, password) {
      // C strings end at the first NUL, so the rest would be ignored.
      if (![user, password].every((text) => text !== '' && !text.includes('\0'))) return false;
      const answer = await ask({ ask: 'login', library, service, user, password });
      if (answer.outcome === 'right') return true;
      logger.info('PAM refused a login.', { user, service, reason: answer.reason });
      return false;
    },
    async groupsOf(user) {
      if (user.includes('\0')) return [];
      const answer = await ask({ ask: 'groups', user });
      return answer.outcome === 'right' ? answer.groups : [];
    },
    close: () => questions.close(),
  };
}

const unusable = (reason: string) => fault('config.conflict', { text: `auth.backend = pam cannot be used: ${reason}` });
