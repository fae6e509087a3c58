export const shortId = (id: string): string => id.replace(/^sha256:/, '').slice(0, 12);
