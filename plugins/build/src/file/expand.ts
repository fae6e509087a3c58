import { invalidArgument } from '@gantry/core/errors';
import { ShellPattern } from './shell-pattern.js';

/** The value of a variable, undefined where it is not set. */
export type Lookup = (name: string) => string | undefined;

/**
 * Removes the quotes of a word and expands its variables: `$x`, `${x}`, `${x:-if unset}`, `${x:+if set}`,
 * `${x:?message}`, `${x#prefix}`, `${x%suffix}`, `${x/pattern/replacement}`. Nothing is replaced in single quotes.
 * @throws EngineError `invalid-argument` for a brace that is not closed, another modifier, or a result that is too long.
 */
export function expandWord(word: string, lookup: Lookup, escapeMark: string): string {
  return new Expansion(word, lookup, escapeMark).text();
}

/** The same, split at the blanks that are in it afterwards and were not quoted. */
export function expandWords(text: string, lookup: Lookup, escapeMark: string): readonly string[] {
  return expandWord(text, lookup, escapeMark)
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Expands the variables of a heredoc, in which quotes mean themselves. */
export function expandHeredoc(text: string, lookup: Lookup, escapeMark: string): string {
  // Lines are expanded one by one, so that the limit of a word holds for each.
  return text
    .split('\n')
    .map((line) => (line.includes('$') ? expandWord(quotedFully(line, escapeMark), lookup, escapeMark) : line))
    .join('\n');
}

/** A line in double quotes, in which only variables have a meaning. */
function quotedFully(line: string, escapeMark: string): string {
  const pattern = escapeMark === '`' ? /`(?!\$)|"/g : /\\(?!\$)|"/g;
  return `"${line.replace(pattern, (found) => `${escapeMark}${found}`)}"`;
}

/** Of a result, in characters. Variables in variables grow fast. */
const longestWord = 2 ** 18;
const deepest = 50;
const maxShownLength = 200;

class Expansion {
  #at = 0;
  #depth = 0;

  constructor(
    private readonly word: string,
    private readonly lookup: Lookup,
    private readonly escapeMark: string,
  ) {}

  text(): string {
    return this.#until('');
  }

  /** Up to a character that stands outside of quotes, which is passed over. In patterns escapes stay. */
  #until(stop: string, { keepsEscapes = false } = {}): string {
    let result = '';
    while (this.#at < this.word.length) {
      const character = this.word[this.#at] ?? '';
      if (stop !== '' && character === stop) {
        this.#at++;
        return result;
      }
      if (character === "'") result += this.#single();
      else if (character === '"') result += this.#double();
      else if (character === '$') result = this.#joined(result, this.#dollar());
      else if (character === this.escapeMark) {
        this.#at++;
        result += `${keepsEscapes ? '\\' : ''}${this.word[this.#at++] ?? ''}`;
      } else {
        result += character;
        this.#at++;
      }
    }
    if (stop !== '') throw this.#broken(`unexpected end of statement while looking for matching '${stop}'`);
    return result;
  }

  #single(): string {
    const end = this.word.indexOf("'", this.#at + 1);
    if (end < 0) throw this.#broken('unexpected end of statement while looking for matching single-quote');
    const text = this.word.slice(this.#at + 1, end);
    this.#at = end + 1;
    return text;
  }

  #double(): string {
    let result = '';
    this.#at++;
    while (this.#at < this.word.length) {
      const character = this.word[this.#at] ?? '';
      if (character === '"') {
        this.#at++;
        return result;
      }
      if (character === '$') {
        result = this.#joined(result, this.#dollar());
        continue;
      }
      this.#at++;
      const next = this.word[this.#at] ?? '';
      if (character === this.escapeMark && (next === '"' || next === '$' || next === this.escapeMark)) {
        result += next;
        this.#at++;
      } else result += character;
    }
    throw this.#broken('unexpected end of statement while looking for matching double-quote');
  }

  #dollar(): string {
    this.#at++;
    if (this.word[this.#at] !== '{') {
      const name = this.#name();
      return name === '' ? '$' : (this.lookup(name) ?? '');
    }
    this.#at++;
    const name = this.#name();
    if (name === '') throw this.#broken('syntax error: bad substitution');
    const value = this.lookup(name);
    const next = this.word[this.#at++] ?? '';
    if (next === '}') return value ?? '';
    if (next === '') throw this.#broken('syntax error: missing }');
    return this.#modified(name, value, next);
  }

  #modified(name: string, value: string | undefined, first: string): string {
    const isColon = first === ':';
    const modifier = isColon ? (this.word[this.#at++] ?? '') : first;
    const isSet = isColon ? value !== undefined && value !== '' : value !== undefined;
    if (!(isColon ? '-+?' : '-+?#%/').includes(modifier) || modifier === '') {
      throw this.#broken(`unsupported modifier (${modifier}) in substitution`);
    }
    if (++this.#depth > deepest) throw this.#broken(`more than ${deepest} substitutions in one another`);
    if ('#%/'.includes(modifier)) {
      const changed = this.#matched(value ?? '', modifier);
      this.#depth--;
      return changed;
    }
    const other = this.#until('}');
    this.#depth--;
    if (modifier === '+') return isSet ? other : '';
    if (isSet) return value ?? '';
    if (modifier === '?') throw this.#broken(`${name}: ${other === '' ? 'is not allowed to be unset' : other}`);
    return other;
  }

  /** A value without what a pattern matches, or with something else in place of it; a doubled modifier takes the most. */
  #matched(value: string, modifier: string): string {
    const isDoubled = this.word[this.#at] === modifier;
    if (isDoubled) this.#at++;
    const pattern = new ShellPattern(this.#until(modifier === '/' ? '/' : '}', { keepsEscapes: true }));
    if (modifier === '#') return pattern.withoutPrefix(value, { longest: isDoubled });
    if (modifier === '%') return pattern.withoutSuffix(value, { longest: isDoubled });
    return pattern.replaced(value, this.#until('}'), { all: isDoubled });
  }

  #name(): string {
    const [name = ''] = /^(?:[\p{L}_][\p{L}\p{Nd}_]*|\p{Nd}+|[@*#?$!-])/u.exec(this.word.slice(this.#at)) ?? [];
    this.#at += name.length;
    return name;
  }

  #joined(text: string, more: string): string {
    if (text.length + more.length > longestWord) throw this.#broken(`it becomes longer than ${longestWord} characters`);
    return text + more;
  }

  #broken(why: string): Error {
    const shown = this.word.length > maxShownLength ? `${this.word.slice(0, maxShownLength)}...` : this.word;
    return invalidArgument(`failed to process ${JSON.stringify(shown)}: ${why}`);
  }
}
