import { numberArgument, optional, type BackendArgument } from '../passwords/backend-arguments';

/** Passwords and tokens travel to these addresses, so plain HTTP is for this machine only. */
export const isSafeAddress = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** @param forbidden finds the parts that the address must not have */
export const addressArgument = (parts: string, forbidden: RegExp): BackendArgument<string> => ({
  expected: `an https address without ${parts} (http on this machine only)`,
  read: (value) => {
    if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
    const url = new URL(value);
    return isSafeAddress(url) && !forbidden.test(value) && url.username === '' && url.password === ''
      ? value
      : undefined;
  },
});

const MOST_TOLERANCE = 300;
const MOST_SECONDS = 60;

/** Arguments of every backend that talks to a provider. */
export const providerArguments = {
  clock_tolerance: optional(
    numberArgument(`seconds from 0 to ${MOST_TOLERANCE}`, (seconds) => seconds >= 0 && seconds <= MOST_TOLERANCE),
    30,
  ),
  timeout: optional(
    numberArgument(`seconds above 0, at most ${MOST_SECONDS}`, (seconds) => seconds > 0 && seconds <= MOST_SECONDS),
    10,
  ),
};
