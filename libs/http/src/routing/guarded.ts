/** The resource that a request is about, as permissions know it. */
export interface Guarded {
  /** Named as the caller named it, because a refusal repeats it: `action:core.local` must not tell what an id stands for. */
  readonly uid: string;
  /** Further resources whose grants apply, such as the action of an execution. */
  readonly parents?: readonly string[];
  /** Default: the permission of the route. */
  readonly permission?: string;
  /** With permission isolation: nobody else but administrators has access, whatever is granted. */
  readonly owner?: string;
  /** It is the requester's own, who needs no permission. A restricted credential does. */
  readonly isOwn?: boolean;
}

/** Undefined for what needs no check here. Of several resources, each is checked. */
export type GuardedResources = Guarded | readonly Guarded[] | undefined;

/** Instead of a permission: every authenticated user may do it, though not with a restricted credential (`forRestricted`). */
export const ANY_USER = 'any user';

/** Instead of a permission: for administrators only. */
export const ADMINISTRATORS = 'administrators';
