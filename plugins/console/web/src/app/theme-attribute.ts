export type Theme = 'system' | 'light' | 'dark';

const key = 'gantry-theme';

export function storedTheme(): Theme {
  const value = localStorage.getItem(key);
  return value === 'light' || value === 'dark' ? value : 'system';
}

export function storeTheme(value: Theme): void {
  if (value === 'system') localStorage.removeItem(key);
  else localStorage.setItem(key, value);
}

/** Keeps the colours that a link from a page of the second API carries, which has a memory of its own. */
export function adoptTheme(): void {
  const asked = new URLSearchParams(location.search).get('theme');
  if (asked === null) return;
  if (asked === 'system' || asked === 'light' || asked === 'dark') storeTheme(asked);
  history.replaceState(null, '', location.pathname + location.hash);
}

/** Sets what the styles look at. */
export function applyTheme(): void {
  const value = storedTheme();
  if (value === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = value;
}
