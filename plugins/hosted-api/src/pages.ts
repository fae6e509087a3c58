/** A page for browsers, found in the navigation of all others. */
export interface WebPage {
  readonly title: string;
  /** Such as `/inbox`; the plugin serves it by `openRoutes`. */
  readonly path: string;
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
