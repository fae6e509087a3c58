/** Twelve digits, as people see ids. */
export const shortId = (digest: string): string => digest.replace(/^sha256:/, '').slice(0, 12);
