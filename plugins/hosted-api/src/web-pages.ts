import { readFile } from 'node:fs/promises';
import { injectable } from '@gantry/core/driver';
import { readWebFiles, type WebFile, webFile } from './web-files.js';

/** A page for browsers, listed in the navigation of every page. */
export interface WebPage {
  readonly title: string;
  /** Such as `/inbox`. */
  readonly path: string;
  readonly files: readonly WebFile[];
}

const own = new URL('../web/', import.meta.url);

/** Reads the files that all pages share, served at `/pages/page.css` and `/pages/page.js`. */
export const readSharedFiles = (): Promise<readonly WebFile[]> => readWebFiles(own, '/pages', ['page.css', 'page.js']);

export interface PageOptions {
  readonly title: string;
  /** The page is served at `/NAME` from `NAME.html`; `NAME.css` and `NAME.js` are served below it. */
  readonly name: string;
  /** Further modules served below `/NAME/`. */
  readonly modules?: readonly string[];
}

/**
 * Reads the files of a page into memory. `NAME.html` is its content after sign-in. All pages share the frame with the
 * token form, and the module `/pages/page.js`, from which `NAME.js` imports.
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

/** The pages of all plugins, in the order they were added. */
@injectable()
export class WebPages {
  readonly #pages: WebPage[] = [];

  /** Adds a page; the returned function removes it. */
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
