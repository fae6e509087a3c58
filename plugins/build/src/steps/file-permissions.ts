import { invalidArgument } from '@gantry/core/errors';

/** The permissions of a file, from those it has. */
export type ChangePermissions = (mode: number, isDirectory: boolean) => number;

const clause = /^([ugoa]*)((?:[-+=](?:[rwxXst]*|[ugo]))+)$/;
const shifts: Readonly<Record<string, number>> = { u: 6, g: 3, o: 0 };

/** The value of `--chmod`: octal, or symbolic as `chmod` has it. @throws EngineError naming the value. */
export function parsePermissions(text: string): ChangePermissions {
  if (/^[0-7]{1,4}$/.test(text)) {
    const permissions = Number.parseInt(text, 8);
    return () => permissions;
  }
  const changes = text.split(',').flatMap((item) => {
    const [, who = '', actions] = clause.exec(item) ?? [];
    if (actions === undefined)
      throw invalidArgument(`--chmod: "${text}" is neither an octal mode nor one such as u=rwX,go=rX`);
    const whom = who === '' || who.includes('a') ? 'ugo' : who;
    return [...actions.matchAll(/([-+=])([^-+=]*)/g)].map(([, operator = '', names = '']) => ({
      whom,
      operator,
      names,
    }));
  });
  return (mode, isDirectory) =>
    changes.reduce((current, { whom, operator, names }) => {
      const bits = bitsOf(current, whom, names, isDirectory);
      if (operator === '+') return current | bits;
      if (operator === '-') return current & ~bits;
      return (current & ~maskOf(whom)) | bits;
    }, mode);
}

const maskOf = (whom: string): number => [...whom].reduce((mask, who) => mask | (0o7 << (shifts[who] ?? 0)), 0);

function bitsOf(mode: number, whom: string, names: string, isDirectory: boolean): number {
  let bits = 0;
  for (const who of whom) {
    const shift = shifts[who] ?? 0;
    for (const name of names) {
      if (name === 'r') bits |= 0o4 << shift;
      else if (name === 'w') bits |= 0o2 << shift;
      else if (name === 'x' || (name === 'X' && (isDirectory || (mode & 0o111) !== 0))) bits |= 0o1 << shift;
      else if (name === 's') bits |= who === 'u' ? 0o4000 : who === 'g' ? 0o2000 : 0;
      else if (name === 't') bits |= who === 'o' ? 0o1000 : 0;
      else if (name in shifts) bits |= ((mode >> (shifts[name] ?? 0)) & 0o7) << shift;
    }
  }
  return bits;
}
