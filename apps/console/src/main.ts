import { activateLanguage } from './locales/language';

// The other modules have texts, so they are loaded once there is a language.
void activateLanguage().then(async () => (await import('./app')).showConsole());
