const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', v: '\v', f: '\f' };

/** A path as git prints it: quoted when it has special characters, or as is. */
export function unquotePath(path: string): string {
  if (!path.startsWith('"')) return path;
  const bytes = path.slice(1, -1).replace(/\\([0-7]{3}|.)/g, (_whole, code: string) => {
    return code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (escapes[code] ?? code);
  });
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
