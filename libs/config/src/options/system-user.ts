import { path, str } from '../option';

export const systemUser = {
  user: str('stanley', 'User that local and remote commands run as.'),
  ssh_key_file: path('/home/stanley/.ssh/stanley_rsa', 'Private key of that user.'),
};
