/** Who is asking, and how that was proved. */
export interface Requester {
  readonly user: string;
  /** `none` when access control is off: then everything is done as the system user. */
  readonly method: 'token' | 'api key' | 'password' | 'none';
  /** Where the credential was found. A cookie counts as a header. */
  readonly location: 'header' | 'query' | 'none';
  /** True for everybody while roles are not in use. */
  readonly isAdmin: boolean;
  /** Expiry of the token, when that was the credential. */
  readonly tokenExpiry?: Date;
  /** The token itself, when that was the credential: needed to give it up. Never to be logged or stored. */
  readonly token?: string;
}
