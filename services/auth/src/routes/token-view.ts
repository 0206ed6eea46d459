import { MS_MICROS, microsToIso } from '@switchyard/base';
import type { IssuedToken } from '@switchyard/identity';

/** A token as returned to clients. */
export const tokenView = ({ expiry, ...issued }: IssuedToken) => ({
  ...issued,
  expiry: microsToIso(expiry.getTime() * MS_MICROS),
});
