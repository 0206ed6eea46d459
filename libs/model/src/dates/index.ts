export { daysOfMonth } from './calendar-numbers';
export { parseDate } from './parse-date';
export { completeDate, type CompleteDate, type DateParts } from './complete-date';
export { readDate, type WrittenDate } from './read-date';
