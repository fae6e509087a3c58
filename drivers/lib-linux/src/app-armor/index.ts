export { AppArmor } from './app-armor.js';
export { hasAppArmor } from './has-app-armor.js';
