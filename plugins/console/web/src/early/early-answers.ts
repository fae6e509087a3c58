/** Answers that were asked for before the pages had loaded, by path. Each is used once. */
const name = 'gantryEarlyAnswers';
const scope = globalThis as { [name]?: Record<string, Promise<Response>> };

export function askEarly(path: string): void {
  const answer = fetch(path, { credentials: 'same-origin', cache: 'no-store' });
  // The page that uses it says why it failed.
  answer.catch(() => undefined);
  scope[name] = { ...scope[name], [path]: answer };
}

/** They are of no use when the session was not restored at once. */
export function forgetEarly(): void {
  delete scope[name];
}

export function takeEarly(path: string): Promise<Response> | undefined {
  const answer = scope[name]?.[path];
  delete scope[name]?.[path];
  return answer;
}
