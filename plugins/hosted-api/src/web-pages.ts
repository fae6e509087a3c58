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

/** A page of another service, such as the console of the engine. */
export interface WebLink {
  readonly title: string;
  readonly url: string;
}

const own = new URL('../web/', import.meta.url);

const shared = ['base.css', 'frame.css', 'controls.css', 'page.css', 'icon.svg', 'theme.js', 'page.js'];

/** Reads the files that all pages share, served below `/pages/`. */
export const readSharedFiles = (): Promise<readonly WebFile[]> => readWebFiles(own, '/pages', shared);

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
  readonly #pages = new Set<WebPage>();
  readonly #links = new Set<WebLink>();

  /** Adds a page; the returned function removes it. */
  add(page: WebPage): () => void {
    this.#pages.add(page);
    return () => void this.#pages.delete(page);
  }

  addLink(link: WebLink): () => void {
    this.#links.add(link);
    return () => void this.#links.delete(link);
  }

  list(): readonly WebPage[] {
    return [...this.#pages];
  }

  links(): readonly WebLink[] {
    return [...this.#links];
  }
}
