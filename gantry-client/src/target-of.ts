export type PathValues = Readonly<Record<string, string>>;

/** Lists are repeated, objects sent as JSON. */
export type QueryValues = Readonly<
  Record<string, string | number | boolean | readonly string[] | Readonly<Record<string, unknown>> | undefined>
>;

/**
 * The method and the target of a request: `GET /containers/{id}/json` with values for what is in braces, and a query.
 * @throws TypeError when a value is missing.
 */
export function targetOf(
  route: string,
  path: PathValues,
  query: QueryValues,
): { readonly method: string; readonly target: string } {
  const [method = '', pattern = ''] = route.split(' ');
  const filled = pattern.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const value = path[name];
    if (value === undefined || value === '') throw new TypeError(`${route}: ${name} is missing`);
    return encodeURIComponent(value);
  });
  const words = queryOf(query);
  return { method, target: words === '' ? filled : `${filled}?${words}` };
}

function queryOf(query: QueryValues): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (Array.isArray(value)) for (const each of value) words.append(name, each);
    else words.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return words.toString();
}
