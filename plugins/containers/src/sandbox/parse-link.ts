export interface Link {
  /** Name or id of the other container. */
  readonly target: string;
  readonly alias: string;
}

/** Reads `name:alias`, `name`, and the form inspect shows, `/name:/self/alias`. */
export function parseLink(text: string): Link {
  const cut = text.lastIndexOf(':');
  const target = (cut < 0 ? text : text.slice(0, cut)).replace(/^\//, '');
  const alias = cut < 0 ? target : text.slice(cut + 1).replace(/^.*\//, '');
  return { target, alias: alias === '' ? target : alias };
}
