/** Answers that were asked for before the pages had loaded, by path. Each is used once. */
const name = 'gantryEarlyAnswers';
const scope = globalThis as { [name]?: Record<string, Promise<Response>> };

export function askEarly(path: string): void {
  const answer = read(path);
  // The page that uses it says why it failed.
  answer.catch(() => undefined);
  scope[name] = { ...scope[name], [path]: answer };
}

async function read(path: string): Promise<Response> {
  // As the document's preloads ask, whose answers it takes; that nothing is stored is said by the answers.
  const answer = await fetch(path, { credentials: 'same-origin' });
  return new ReadResponse(await answer.text(), answer);
}

/** Has its whole body at hand, so that the page is drawn with it before the next frame, and not first without. */
class ReadResponse extends Response {
  constructor(
    private readonly content: string,
    head: ResponseInit,
  ) {
    super(null, head);
  }

  override text(): Promise<string> {
    return Promise.resolve(this.content);
  }

  override async json(): Promise<unknown> {
    return JSON.parse(this.content);
  }
}

/** Resolves when all that was asked for has come or failed. */
export async function earlyAnswered(): Promise<void> {
  await Promise.allSettled(Object.values(scope[name] ?? {}));
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
