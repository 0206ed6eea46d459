import { legacy } from '../option';

const fixed = legacy('the dialect of schemas is fixed');

export const schema = { version: fixed, draft: fixed };
