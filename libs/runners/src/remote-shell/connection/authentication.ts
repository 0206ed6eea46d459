import type { AnyAuthMethod, AuthenticationType, AuthHandlerMiddleware, NextAuthHandler, Prompt } from 'ssh2';
import { parsePrivateKey } from '../target/private-key';
import type { Proof, SshTarget } from '../target/ssh-target';

/**
 * Offers the proofs of a target one after the other, each once, and passes over those that the server has said it does
 * not take. @throws Fault `ssh.key`
 */
export function authentication({ user, proofs }: SshTarget): AuthHandlerMiddleware {
  const offers = proofs.flatMap((proof) => offersOf(user, proof));
  return (allowed: AuthenticationType[] | null, _isPartial: boolean | null, next: NextAuthHandler) => {
    const at = offers.findIndex(({ type }) => allowed === null || allowed.includes(type));
    const [offer] = at < 0 ? [] : offers.splice(at, 1);
    // The library takes false for "there is no more"; its types do not know that.
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

/** Servers that ask for the password in a dialogue ask one question without an echo. It is not told twice. */
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
