// Within the document itself: it acts when the files beside it cannot be loaded.
import { reloadForMissingFile } from './reload';

function isNeeded(target: EventTarget | null): boolean {
  return target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.rel === 'stylesheet');
}

addEventListener(
  'error',
  ({ target }) => {
    if (!isNeeded(target) || reloadForMissingFile()) return;
    addEventListener('load', () => {
      document.body.textContent = 'Some files of this page could not be loaded: reload it.';
    });
  },
  // Such events do not reach the window otherwise.
  true,
);
