import type { TemplateValue } from './template-value.js';

/** A part of a parsed template. */
export type TemplateNode =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'action'; readonly pipeline: Pipeline }
  | Branch
  | { readonly type: 'break' | 'continue' }
  | { readonly type: 'template'; readonly name: string; readonly pipeline: Pipeline | undefined };

export interface Branch {
  readonly type: 'if' | 'with' | 'range';
  readonly pipeline: Pipeline;
  readonly body: readonly TemplateNode[];
  readonly otherwise: readonly TemplateNode[];
}

export interface Pipeline {
  /** The text of it, for messages. */
  readonly source: string;
  /** With their dollars. */
  readonly variables: readonly string[];
  /** Whether the variables exist already. */
  readonly assigns: boolean;
  /** The value of each is the last argument of the next one. */
  readonly commands: readonly Command[];
}

type Command = readonly [first: Operand, ...rest: readonly Operand[]];

export type Operand =
  | { readonly type: 'constant'; readonly value: TemplateValue }
  | { readonly type: 'dot' }
  | { readonly type: 'function'; readonly name: string }
  | { readonly type: 'variable'; readonly name: string }
  | { readonly type: 'group'; readonly pipeline: Pipeline }
  | { readonly type: 'field'; readonly of: Operand; readonly name: string };

export interface ParsedTemplate {
  readonly nodes: readonly TemplateNode[];
  /** By their names. */
  readonly defined: ReadonlyMap<string, readonly TemplateNode[]>;
}
