export interface Person {
  readonly name: string;
  readonly email: string;
}

/** Good enough for Git and for a form: something, an at sign, something, and nothing that ends it. */
export const isAddress = (text: string): boolean => /^[^\s<>@\p{Cc}]+@[^\s<>@\p{Cc}]+$/u.test(text);

/** A name as it can stand in a commit. */
export const plainName = (text: string): string =>
  text
    .replace(/[<>\p{Cc}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.,:;"'\\]+|[\s,:;"'\\]+$/g, '');

/**
 * Makes somebody out of what another system calls them: a username, an address, or both in the usual form. What is
 * missing is made up: `alice` becomes `alice <alice@DOMAIN>`.
 */
export function validAuthor(text: string, domain: string): Person {
  const [, before = '', inside = ''] = /^([^<]*)<([^>]*)>/.exec(text) ?? [undefined, text, ''];
  const email = [inside, before].map((part) => part.trim()).find(isAddress);
  const name = plainName(before) || plainName(inside) || 'nobody';
  if (email !== undefined) return { name, email };
  const local = name.replace(/[^\p{L}\p{N}._+-]+/gu, '.').replace(/^\.+|\.+$/g, '');
  return { name, email: `${local || 'nobody'}@${domain}` };
}
