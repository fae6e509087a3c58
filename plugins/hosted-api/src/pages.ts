import { readFile } from 'node:fs/promises';
import { readWebFiles, type WebFile, webFile } from './web-files.js';

/** A page for browsers, found in the navigation of all others. */
export interface WebPage {
  readonly title: string;
  /** Such as `/inbox`. */
  readonly path: string;
  readonly files: readonly WebFile[];
}

const own = new URL('../web/', import.meta.url);

/** What all pages share, served at `/pages/page.css` and `/pages/page.js`. */
export const readSharedFiles = (): Promise<readonly WebFile[]> => readWebFiles(own, '/pages', ['page.css', 'page.js']);

export interface PageOptions {
  readonly title: string;
  /** The page is `/NAME`, made of `NAME.html`, `NAME.css` and `NAME.js`; these two are served below it. */
  readonly name: string;
  /** More modules, for `NAME.js` to import from `/NAME/`. */
  readonly modules?: readonly string[];
}

/**
 * Reads a page, once. Its `.html` is what a user sees after signing in; the frame around that, with the form for the
 * token, is the same for all pages, and so is what `NAME.js` imports from `/pages/page.js`.
 */
export async function readWebPage(directory: URL, { title, name, modules = [] }: PageOptions): Promise<WebPage> {
  const [frame, content, files] = await Promise.all([
    readFile(new URL('page.html', own), 'utf8'),
    readFile(new URL(`${name}.html`, directory), 'utf8'),
    readWebFiles(directory, `/${name}`, [`${name}.css`, `${name}.js`, ...modules]),
  ]);
  const parts: Readonly<Record<string, string>> = { title, name, content: content.trimEnd() };
  const html = frame.replace(/\{\{(\w+)\}\}/g, (_, part: string) => parts[part] ?? '');
  const path = `/${name}`;
  return { title, path, files: [webFile(path, 'html', Buffer.from(html)), ...files] };
}

/** The pages of all plugins on the surface, in the order they came. */
export class WebPages {
  readonly #pages: WebPage[] = [];

  /** @returns takes the page out again. */
  add(page: WebPage): () => void {
    this.#pages.push(page);
    return () => {
      const index = this.#pages.indexOf(page);
      if (index >= 0) this.#pages.splice(index, 1);
    };
  }

  list(): readonly WebPage[] {
    return [...this.#pages];
  }
}
