import { str } from '../option';

export const webui = {
  webui_base_url: str(null, 'Address of the web console, for links; unset: https:// and the name of this host.'),
};
