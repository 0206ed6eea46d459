import { bool } from '../option';

export const packs = {
  enable_common_libs: bool(false, 'Let Python actions and sensors import from the directory lib of their pack.'),
};
