/** Thrown while a text is read that is not a date. */
export class NotADate extends Error {}
