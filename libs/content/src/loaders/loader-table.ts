import { actionLoader } from './action-loader';
import type { Loader } from './loader';

/** Every kind of content, in the order of registration. A new kind is one more row. */
export const loaders: readonly Loader[] = [actionLoader];
