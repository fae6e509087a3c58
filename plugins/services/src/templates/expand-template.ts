import { invalidArgument, messageOf } from '@gantry/core/errors';
import { evaluateTemplate } from './evaluate-template.js';
import { parseTemplate } from './parse-template.js';
import { commonFunctions, type TemplateFunction, text as textOf } from './template-functions.js';
import type { TemplateFields } from './template-value.js';

interface TemplateScope {
  readonly fields: TemplateFields;
  /** Beside those of every template; they take texts. */
  readonly functions?: Readonly<Record<string, (...values: readonly string[]) => string>>;
}

/**
 * Fills a text with values, by the language of Go's text/template.
 * @throws EngineError `invalid-argument` naming the field and what is wrong with the template.
 */
export function expandTemplate(field: string, text: string, { fields, functions = {} }: TemplateScope): string {
  if (!text.includes('{{')) return text;
  const known = new Map<string, TemplateFunction>(Object.entries(commonFunctions));
  for (const [name, called] of Object.entries(functions)) {
    known.set(name, (...values) => called(...values.map((value) => textOf(name, value))));
  }
  try {
    const parsed = parseTemplate(text, new Set([...known.keys(), 'and', 'or']));
    return evaluateTemplate(parsed, fields, known);
  } catch (cause) {
    throw invalidArgument(`${field}: invalid template: ${messageOf(cause)}`, { cause });
  }
}
