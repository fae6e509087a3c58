// Before anything is painted. The console calls its choice of colours the same, and links to pages of the other carry it.
(() => {
  const key = 'gantry-theme';
  const asked = new URLSearchParams(location.search).get('theme');
  if (asked === 'system') localStorage.removeItem(key);
  if (asked === 'light' || asked === 'dark') localStorage.setItem(key, asked);
  if (asked !== null) history.replaceState(null, '', location.pathname + location.hash);
  const chosen = localStorage.getItem(key);
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
})();
