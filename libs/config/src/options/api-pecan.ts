import { legacy } from '../option';

const pecan = legacy('the web framework it configures is not used');

export const apiPecan = {
  root: pecan,
  static_root: pecan,
  template_path: pecan,
  modules: pecan,
  debug: pecan,
  auth_enable: pecan,
  errors: pecan,
};
