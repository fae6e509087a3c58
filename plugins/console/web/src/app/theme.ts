import { Store } from '../store/store';
import { applyTheme, storedTheme, storeTheme, type Theme } from './theme-attribute';

export const theme = new Store<Theme>('system');

export const restoreTheme = (): void => theme.set(storedTheme());

export function setTheme(value: Theme): void {
  storeTheme(value);
  theme.set(value);
  applyTheme();
}
