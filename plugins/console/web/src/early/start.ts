// Loaded before everything else: what the first page shows is on its way while its script and styles are still loading.
import { adoptTheme, applyTheme } from '../app/theme-attribute';
import { askEarly } from './early-answers';

adoptTheme();
applyTheme();
askEarly('/session');
if (/^#?\/?(containers\/?)?$/.test(location.hash)) askEarly('/api/containers/json?all=true');
