/** The form in which the state itself holds a document: only through the journal does anything change it. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };
