import type { AnyAuthMethod, AuthenticationType, AuthHandlerMiddleware, NextAuthHandler, Prompt } from 'ssh2';
import { parsePrivateKey, type Proof, type SshTarget } from '../target/ssh-target';

/**
 * Offers each proof of a target once, in order, skipping those that the server does not accept. @throws Fault `ssh.key`
 */
export function authentication({ user, proofs }: SshTarget): AuthHandlerMiddleware {
  const offers = proofs.flatMap((proof) => offersOf(user, proof));
  return (allowed: AuthenticationType[] | null, _isPartial: boolean | null, next: NextAuthHandler) => {
    const at = offers.findIndex(({ type }) => allowed === null || allowed.includes(type));
    const [offer] = at < 0 ? [] : offers.splice(at, 1);
    // The library accepts false for "no more methods", but its types do not.
    next((offer ?? false) as AnyAuthMethod);
  };
}

function offersOf(username: string, proof: Proof): AnyAuthMethod[] {
  if (proof.kind === 'key') return [{ type: 'publickey', username, key: parsePrivateKey(proof) }];
  const { password } = proof;
  return [
    { type: 'password', username, password },
    { type: 'keyboard-interactive', username, prompt: answering(password) },
  ];
}

/** Answers keyboard-interactive prompts: sends the password once, to the first prompt without echo. */
function answering(password: string) {
  let isTold = false;
  return (
    _name: string,
    _text: string,
    _language: string,
    prompts: Prompt[],
    answer: (texts: string[]) => void,
  ): void => {
    answer(
      prompts.map(({ echo }) => {
        if (echo === true || isTold) return '';
        isTold = true;
        return password;
      }),
    );
  };
}
