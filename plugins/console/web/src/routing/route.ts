import { Store, useStore } from '../store/store';

export interface Route {
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
}

function parse(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?', 2);
  const segments = path.split('/').filter((segment) => segment !== '');
  return { segments: segments.map(decode), query: new URLSearchParams(query) };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const route = new Store(parse());
addEventListener('hashchange', () => route.set(parse()));

export const useRoute = (): Route => useStore(route);

export function pathTo(...segments: readonly string[]): string {
  return `#/${segments.map(encodeURIComponent).join('/')}`;
}

export function goTo(...segments: readonly string[]): void {
  location.hash = pathTo(...segments);
}
