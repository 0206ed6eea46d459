import { hash } from 'bcryptjs';

const ROUNDS = 10;

/** A bcrypt hash, as it stands in a password file. */
export const hashPassword = (password: string): Promise<string> => hash(password, ROUNDS);
