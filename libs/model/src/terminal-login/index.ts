export { challengeOf, readUserCode, userCodeOf } from './user-code';
