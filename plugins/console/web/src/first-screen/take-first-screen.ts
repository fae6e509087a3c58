import type { FirstScreenData } from './first-screen-data';

/** Takes what came with the document out of it; undefined when no one was signed in. */
export function takeFirstScreen(): FirstScreenData | undefined {
  const element = document.getElementById('first-screen');
  element?.remove();
  const text = element?.textContent ?? '';
  return text === '' ? undefined : (JSON.parse(text) as FirstScreenData);
}
