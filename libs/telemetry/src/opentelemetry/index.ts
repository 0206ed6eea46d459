export { exportedSpans, type SpanOptions } from './exported-spans';
