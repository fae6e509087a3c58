import { Store } from '../store/store';

export type Theme = 'system' | 'light' | 'dark';

const key = 'gantry-theme';

function stored(): Theme {
  const value = localStorage.getItem(key);
  return value === 'light' || value === 'dark' ? value : 'system';
}

export const theme = new Store<Theme>(stored());

export function setTheme(value: Theme): void {
  if (value === 'system') localStorage.removeItem(key);
  else localStorage.setItem(key, value);
  theme.set(value);
  applyTheme();
}

export function applyTheme(): void {
  const value = theme.get();
  if (value === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = value;
}
