import { reloadAfterUpgrade } from './frame/reload-after-upgrade';
import { activateLanguage } from './locales/language';

reloadAfterUpgrade();

// The other modules have texts, so they are loaded once there is a language.
void activateLanguage().then(async () => (await import('./app')).showConsole());
