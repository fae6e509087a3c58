/** The users and teams that a text mentions. */
interface Mentions {
  readonly logins: readonly string[];
  /** Such as `org/team`. */
  readonly teams: readonly string[];
}

/** Code, in which an @ is no mention. */
const code = /```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`/g;

const mention = /(?<![\w@/.`-])@([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)(?:\/([A-Za-z0-9][\w-]*))?(?![\w@])/g;

/** The rest of a longer text is ignored. */
const maxLength = 100_000;

/** Finds `@login` and `@org/team` in Markdown, except in code and in email addresses. */
export function mentionsIn(text: string | undefined): Mentions {
  const logins = new Set<string>();
  const teams = new Set<string>();
  for (const [, name = '', team] of (text ?? '').slice(0, maxLength).replace(code, ' ').matchAll(mention)) {
    if (team === undefined) logins.add(name);
    else teams.add(`${name}/${team}`);
  }
  return { logins: [...logins], teams: [...teams] };
}
