// Loaded before everything else: what the first page shows is on its way while its script and styles are still loading.
import { adoptTheme, applyTheme } from '../app/theme-attribute';
import { askEarly } from './early-answers';

// First of all: what the browser stores may have to come from its disk.
askEarly('/session');
if (/^#?\/?(containers\/?)?$/.test(location.hash)) askEarly('/api/containers/json?all=true');
adoptTheme();
applyTheme();
