/** Who a text addresses. */
export interface Mentions {
  readonly logins: readonly string[];
  /** Such as `org/team`. */
  readonly teams: readonly string[];
}

/** Code, in which an @ addresses nobody. */
const code = /```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`/g;

const mention = /(?<![\w@/.`-])@([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)(?:\/([A-Za-z0-9][\w-]*))?(?![\w@])/g;

/** Texts are cut here: nobody is addressed so late. */
const longest = 100_000;

/** Finds `@login` and `@org/team` in Markdown; not in code, nor in addresses of mail. */
export function mentionsIn(text: string | undefined): Mentions {
  const logins = new Set<string>();
  const teams = new Set<string>();
  for (const [, name = '', team] of (text ?? '').slice(0, longest).replace(code, ' ').matchAll(mention)) {
    if (team === undefined) logins.add(name);
    else teams.add(`${name}/${team}`);
  }
  return { logins: [...logins], teams: [...teams] };
}
