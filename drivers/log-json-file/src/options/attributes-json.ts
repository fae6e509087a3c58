/** Attributes as JSON with the same escapes as the text has. */
export const attributesJson = (attributes: Readonly<Record<string, string>>): string =>
  JSON.stringify(attributes).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
