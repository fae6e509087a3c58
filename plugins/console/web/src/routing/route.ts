import { Store, useStore } from '../store/store';

export interface Route {
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
}

function parse(): Route {
  // The daemon renders the page of an address without a hash.
  const hash = typeof location === 'undefined' ? '' : location.hash;
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
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
if (typeof location !== 'undefined') addEventListener('hashchange', () => route.set(parse()));

export const useRoute = (): Route => useStore(route);

/** Of the page that an address without a hash shows. */
export const isFirstPage = ({ segments: [name = 'containers', id] }: Route): boolean =>
  name === 'containers' && id === undefined;

export const currentRoute = (): Route => route.get();

export function pathTo(...segments: readonly string[]): string {
  return `#/${segments.map(encodeURIComponent).join('/')}`;
}

export function goTo(...segments: readonly string[]): void {
  location.hash = pathTo(...segments);
}
