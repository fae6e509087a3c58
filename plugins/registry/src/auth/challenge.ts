/** What an answer 401 asks for. */
export interface Challenge {
  /** `basic` or `bearer`; others are left out. */
  readonly scheme: 'basic' | 'bearer';
  readonly parameters: ReadonlyMap<string, string>;
}

/** Reads WWW-Authenticate headers, of which there may be several in one or one in several. */
export function parseChallenges(header: string | undefined): readonly Challenge[] {
  const found: { scheme: string; parameters: Map<string, string> }[] = [];
  const token = /\s*,?\s*([A-Za-z0-9._~+/-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+)))?/gy;
  for (const [, name = '', quoted, plain] of (header ?? '').matchAll(token)) {
    const value = quoted?.replace(/\\(.)/g, '$1') ?? plain;
    if (value === undefined) found.push({ scheme: name.toLowerCase(), parameters: new Map() });
    else found.at(-1)?.parameters.set(name.toLowerCase(), value);
  }
  return found.filter((entry): entry is { scheme: Challenge['scheme']; parameters: Map<string, string> } =>
    ['basic', 'bearer'].includes(entry.scheme),
  );
}
