interface Person {
  readonly name: string;
  readonly email: string;
}

/** Accepted by Git and by the API: an at sign between two non-empty parts without delimiters. */
export const isAddress = (text: string): boolean => /^[^\s<>@\p{Cc}]+@[^\s<>@\p{Cc}]+$/u.test(text);

/** A name without the characters that commits do not allow. */
export const plainName = (text: string): string =>
  text
    .replace(/[<>\p{Cc}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.,:;"'\\]+|[\s,:;"'\\]+$/g, '');

/**
 * The Git identity for a user of another system: a username, an address, or both in the usual form. What is missing is
 * generated: `alice` becomes `alice <alice@DOMAIN>`.
 */
export function validAuthor(text: string, domain: string): Person {
  const [, before = '', inside = ''] = /^([^<]*)<([^>]*)>/.exec(text) ?? [undefined, text, ''];
  const email = [inside, before].map((part) => part.trim()).find(isAddress);
  const name = plainName(before) || plainName(inside) || 'unknown';
  if (email !== undefined) return { name, email };
  const local = name.replace(/[^\p{L}\p{N}._+-]+/gu, '.').replace(/^\.+|\.+$/g, '');
  return { name, email: `${local || 'unknown'}@${domain}` };
}
