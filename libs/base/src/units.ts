/** Units for durations and sizes, which are written as products: `10 * SECOND_MS`. */
export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const MS_MICROS = 1000;
export const SECOND_MICROS = SECOND_MS * MS_MICROS;
export const KIB = 1024;
export const MIB = 1024 * KIB;
