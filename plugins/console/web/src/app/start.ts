// Loaded before anything is shown, which would otherwise be in other colours, or another page than the one asked for.
import { adoptTheme, applyTheme } from './theme-attribute';

adoptTheme();
applyTheme();
// The document has the list of containers.
if (!/^#?\/?(containers\/?)?$/.test(location.hash)) document.documentElement.dataset.page = 'other';
