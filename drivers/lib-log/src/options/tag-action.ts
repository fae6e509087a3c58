import type { LogContainer } from '@gantry/core/contracts';
import { type TagFunction, type TagValue, tagFunctions } from './tag-functions.js';

/** What an action stands for in a container's tag. */
export type TagAction = (container: LogContainer) => TagValue;

/** What actions name behind a dot; the second kind wants an operand that says nothing. */
export interface TagFields {
  readonly plain: Readonly<Record<string, TagAction>>;
  readonly called: Readonly<Record<string, TagAction>>;
}

const token = /\s*("(?:[^"\\]|\\.)*"|`[^`]*`|[()|]|\.\w+|-?\d+|\w+)/y;

/** Reads `upper .Name`, `.Name | lower`, `index (split .ImageName ":") 0`. Undefined: it is none of the kind. */
export function parseAction(action: string, fields: TagFields): TagAction | undefined {
  const reader = new ActionReader(action, fields);
  const parsed = reader.pipeline();
  return reader.isAtEnd ? parsed : undefined;
}

class ActionReader {
  #at = 0;

  constructor(
    private readonly action: string,
    private readonly fields: TagFields,
  ) {}

  get isAtEnd(): boolean {
    return this.action.slice(this.#at).trim() === '';
  }

  /** Commands, each the last operand of the next. */
  pipeline(): TagAction | undefined {
    let piped = this.#command(undefined);
    while (piped !== undefined && this.#take('|')) piped = this.#command(piped);
    return piped;
  }

  #command(piped: TagAction | undefined): TagAction | undefined {
    const name = this.#peek();
    if (name === undefined) return undefined;
    if (Object.hasOwn(tagFunctions, name)) {
      this.#take(name);
      return this.#call(tagFunctions[name] as readonly [number, TagFunction], piped);
    }
    const isCalled = Object.hasOwn(this.fields.called, name.slice(1));
    if (isCalled) {
      this.#take(name);
      return this.#take('nil') && piped === undefined ? this.fields.called[name.slice(1)] : undefined;
    }
    return piped === undefined ? this.#operand() : undefined;
  }

  #call([wanted, run]: readonly [number, TagFunction], piped: TagAction | undefined): TagAction | undefined {
    const operands: TagAction[] = [];
    for (;;) {
      const next = this.#peek();
      if (next === undefined || next === ')' || next === '|') break;
      const operand = this.#operand();
      if (operand === undefined) return undefined;
      operands.push(operand);
    }
    if (piped !== undefined) operands.push(piped);
    if (operands.length !== wanted) return undefined;
    return (container) => run(...operands.map((operand) => operand(container)));
  }

  #operand(): TagAction | undefined {
    const next = this.#next();
    if (next === undefined) return undefined;
    if (next === '(') {
      const inner = this.pipeline();
      return inner !== undefined && this.#take(')') ? this.#selected(inner) : undefined;
    }
    if (next.startsWith('.')) {
      const field = Object.hasOwn(this.fields.plain, next.slice(1)) ? this.fields.plain[next.slice(1)] : undefined;
      return field === undefined ? undefined : this.#selected(field);
    }
    const value = literal(next);
    return value === undefined ? undefined : () => value;
  }

  /** `.NAME` at once behind a map. */
  #selected(from: TagAction): TagAction {
    const [, name] = /^\.(\w+)/.exec(this.action.slice(this.#at)) ?? [];
    if (name === undefined) return from;
    this.#at += name.length + 1;
    const [, select] = tagFunctions.index as readonly [number, TagFunction];
    return this.#selected((container) => select(from(container), name));
  }

  #peek(): string | undefined {
    token.lastIndex = this.#at;
    return token.exec(this.action)?.[1];
  }

  #next(): string | undefined {
    const next = this.#peek();
    if (next !== undefined) this.#at = token.lastIndex;
    return next;
  }

  #take(wanted: string): boolean {
    if (this.#peek() !== wanted) return false;
    this.#next();
    return true;
  }
}

function literal(text: string): string | number | undefined {
  if (/^-?\d+$/.test(text)) return Number(text);
  if (text.startsWith('`')) return text.slice(1, -1);
  if (!text.startsWith('"')) return undefined;
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}
