export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** The header that carries credentials of a registry; none without a user name. */
export function registryHeaders({ username, password }: Credentials): Record<string, string> {
  if (username === '') return {};
  const bytes = new TextEncoder().encode(JSON.stringify({ username, password }));
  const text = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
  return { 'X-Registry-Auth': text };
}
