const LONGEST = 1024;

/** Whether somebody may have this name: not empty, of limited length, without control characters and without spaces around it. */
export const isUserName = (name: string | undefined): name is string =>
  name !== undefined && /^[^\s\x00-\x1f\x7f](.*\S)?$/.test(name) && name.length <= LONGEST;
