/** The address of a node, by its number: one of 127.64.0.0/10 for each, where nothing listens. */
export const addressOf = (index: number): string =>
  `127.${64 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}:2377`;
