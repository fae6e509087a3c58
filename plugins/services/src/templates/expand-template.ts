import { invalidArgument, messageOf } from '@gantry/core/errors';
import { type Token, tokensOf } from './template-tokens.js';

/** What `.Service.Name` and the like stand for. */
export interface TemplateFields {
  readonly [name: string]: string | TemplateFields;
}

type Value = string | TemplateFields;
type TemplateFunction = (...values: readonly string[]) => string;

interface TemplateScope {
  readonly fields: TemplateFields;
  /** Beside `index` and `join`. */
  readonly functions?: Readonly<Record<string, TemplateFunction>>;
}

/** A template's actions, with spaces to be trimmed before and behind them. */
const action = /(\s*\{\{-(?=\s)|\{\{)((?:"(?:[^"\\\n]|\\.)*"|`[^`]*`|[^"`])*?)((?<=\s)-\}\}\s*|\}\})/gs;

/**
 * Fills a text with values, by the syntax of Go's text/template without its control structures: fields, functions and
 * pipelines. @throws EngineError `invalid-argument` naming the field and the action for anything else.
 */
export function expandTemplate(field: string, text: string, scope: TemplateScope): string {
  let end = 0;
  let expanded = '';
  const literal = (part: string): string => {
    if (part.includes('{{')) throw invalidArgument(`${field}: "${text}": unclosed action`);
    return part;
  };
  for (const match of text.matchAll(action)) {
    const [whole, , content = ''] = match;
    expanded += literal(text.slice(end, match.index)) + fill(field, content.trim(), scope);
    end = match.index + whole.length;
  }
  return expanded + literal(text.slice(end));
}

function fill(field: string, content: string, scope: TemplateScope): string {
  if (/^\/\*.*\*\/$/s.test(content)) return '';
  try {
    const value = evaluate(tokensOf(content), scope);
    if (typeof value !== 'string') throw new Error('the value is not a text');
    return value;
  } catch (cause) {
    throw invalidArgument(`${field}: the placeholder {{${content}}} is not supported: ${messageOf(cause)}`, { cause });
  }
}

/** The value of each command of a pipeline is the last argument of the next one. */
function evaluate(tokens: readonly Token[], scope: TemplateScope): Value {
  let piped: Value | undefined;
  for (const [first, ...rest] of commandsOf(tokens)) {
    if (first === undefined) throw new Error('a command is missing');
    const values: Value[] = rest.map((token) => operand(token, scope));
    if (piped !== undefined) values.push(piped);
    piped = first.type === 'name' ? call(first.text, values, scope) : operand(first, scope);
    if (first.type !== 'name' && values.length > 0) throw new Error(`"${first.text}" is not a function`);
  }
  if (piped === undefined) throw new Error('it is empty');
  return piped;
}

function commandsOf(tokens: readonly Token[]): readonly Token[][] {
  const commands: Token[][] = [[]];
  for (const token of tokens) {
    if (token.type === 'pipe') commands.push([]);
    else commands.at(-1)?.push(token);
  }
  return commands;
}

function operand(token: Token, scope: TemplateScope): Value {
  switch (token.type) {
    case 'text':
      return token.text;
    case 'field':
      return fieldOf(token.text, scope.fields);
    case 'group':
      return evaluate(tokensOf(token.text), scope);
    default:
      return call(token.text, [], scope);
  }
}

function fieldOf(path: string, fields: TemplateFields): Value {
  let value: Value = fields;
  for (const name of path.split('.').filter((part) => part !== '')) {
    const next: Value | undefined = typeof value === 'string' ? undefined : ownValue(value, name);
    if (next === undefined) throw new Error(`there is no field ${name}`);
    value = next;
  }
  return value;
}

function call(name: string, values: readonly Value[], { functions = {} }: TemplateScope): Value {
  if (name === 'index') return indexed(values);
  const texts = values.map((value) => {
    if (typeof value !== 'string') throw new Error(`an argument of ${name} is not a text`);
    return value;
  });
  if (name === 'join') return join(...texts);
  const known = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (known === undefined) throw new Error(`there is no function ${name}`);
  return known(...texts);
}

/** Empty for a label that there is not. */
function indexed([map, key, ...others]: readonly Value[]): Value {
  if (map === undefined || typeof map === 'string' || typeof key !== 'string' || others.length > 0) {
    throw new Error('index takes labels and the name of one');
  }
  return ownValue(map, key) ?? '';
}

const ownValue = (map: TemplateFields, name: string): Value | undefined =>
  Object.hasOwn(map, name) ? map[name] : undefined;

/** The separator comes first. */
function join(separator?: string, ...texts: readonly string[]): string {
  if (separator === undefined) throw new Error('join takes a separator, and texts');
  return texts.join(separator);
}
