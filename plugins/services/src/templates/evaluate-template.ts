import { showValue } from './show-value.js';
import type { TemplateFunction } from './template-functions.js';
import type { Branch, Operand, ParsedTemplate, Pipeline, TemplateNode } from './template-nodes.js';
import { isMap, isTrue, sortedEntries, type TemplateFields, type TemplateValue, typeOf } from './template-value.js';

/** How much work and text one template may cost, and how deep its templates may call each other. */
const limits = { steps: 100_000, length: 4 * 1024 * 1024, depth: 200 } as const;

type Variables = readonly (readonly [name: string, cell: { value: TemplateValue }])[];

/** What the nodes of a body are evaluated with. */
interface Frame {
  readonly dot: TemplateValue;
  readonly variables: Variables;
}

type Signal = 'break' | 'continue' | undefined;

/** @throws Error naming the pipeline that has no value. */
export const evaluateTemplate = (
  template: ParsedTemplate,
  fields: TemplateFields,
  functions: ReadonlyMap<string, TemplateFunction>,
): string => new TemplateEvaluation(template, functions).evaluate(fields);

class TemplateEvaluation {
  #text = '';
  #steps = 0;
  #depth = 0;

  constructor(
    private readonly template: ParsedTemplate,
    private readonly functions: ReadonlyMap<string, TemplateFunction>,
  ) {}

  evaluate(fields: TemplateFields): string {
    this.#walk(this.template.nodes, frameOf(fields));
    return this.#text;
  }

  #walk(nodes: readonly TemplateNode[], frame: Frame): Signal {
    let { variables } = frame;
    for (const node of nodes) {
      this.#countStep();
      const current = { dot: frame.dot, variables };
      switch (node.type) {
        case 'text':
          this.#write(node.text);
          break;
        case 'action':
          variables = this.#act(node.pipeline, current);
          break;
        case 'template':
          this.#call(node.name, node.pipeline, current);
          break;
        case 'break':
        case 'continue':
          return node.type;
        default: {
          const signal = node.type === 'range' ? this.#range(node, current) : this.#branch(node, current);
          if (signal !== undefined) return signal;
        }
      }
    }
    return undefined;
  }

  /** Writes a value, or gives it to variables. */
  #act(pipeline: Pipeline, frame: Frame): Variables {
    const value = this.#pipeline(pipeline, frame);
    if (pipeline.variables.length > 0) return declare(pipeline, [value], frame.variables);
    this.#write(value === null ? '<no value>' : showValue(value));
    return frame.variables;
  }

  #branch(node: Branch, frame: Frame): Signal {
    const value = this.#pipeline(node.pipeline, frame);
    const variables = declare(node.pipeline, [value], frame.variables);
    if (!isTrue(value)) return this.#walk(node.otherwise, { dot: frame.dot, variables });
    return this.#walk(node.body, { dot: node.type === 'with' ? value : frame.dot, variables });
  }

  #range(node: Branch, frame: Frame): Signal {
    let isEmpty = true;
    const visited = this.#pipeline(node.pipeline, frame);
    if (node.pipeline.variables.length > 1 && !isMap(visited)) {
      throw new Error(
        `{{range ${node.pipeline.source}}}: can't use ${showValue(visited)} to iterate over more than one variable`,
      );
    }
    for (const [key, value] of itemsOf(visited)) {
      isEmpty = false;
      this.#countStep();
      const values = node.pipeline.variables.length > 1 ? [key, value] : [value];
      const variables = declare(node.pipeline, values, frame.variables);
      if (this.#walk(node.body, { dot: value, variables }) === 'break') break;
    }
    return isEmpty ? this.#walk(node.otherwise, frame) : undefined;
  }

  #call(name: string, pipeline: Pipeline | undefined, frame: Frame): void {
    const nodes = this.template.defined.get(name);
    if (nodes === undefined) throw new Error(`template "${name}" not defined`);
    const dot = pipeline === undefined ? null : this.#pipeline(pipeline, frame);
    this.#depth += 1;
    if (this.#depth > limits.depth) throw new Error(`templates call each other more than ${limits.depth} deep`);
    this.#walk(nodes, frameOf(dot));
    this.#depth -= 1;
  }

  #pipeline(pipeline: Pipeline, frame: Frame): TemplateValue {
    try {
      return pipeline.commands.reduce<TemplateValue | undefined>((piped, [first, ...rest]) => {
        this.#countStep();
        return this.#command(first, rest, piped, frame);
      }, undefined) as TemplateValue;
    } catch (cause) {
      if (cause instanceof PipelineError) throw cause;
      throw new PipelineError(pipeline, cause);
    }
  }

  #command(first: Operand, rest: readonly Operand[], piped: TemplateValue | undefined, frame: Frame): TemplateValue {
    if (first.type !== 'function') {
      if (rest.length > 0 || piped !== undefined)
        throw new Error(`can't give argument to non-function ${shown(first)}`);
      return this.#operand(first, frame);
    }
    const { name } = first;
    if (name === 'and' || name === 'or') return this.#firstThat(name, rest, piped, frame);
    const values = rest.map((operand) => this.#operand(operand, frame));
    if (piped !== undefined) values.push(piped);
    const called = this.functions.get(name);
    if (called === undefined) throw new Error(`function "${name}" not defined`);
    return called(...values);
  }

  /** The first value that is empty for `and`, that is not for `or`, or the last one; those behind it are not evaluated. */
  #firstThat(
    name: 'and' | 'or',
    operands: readonly Operand[],
    piped: TemplateValue | undefined,
    frame: Frame,
  ): TemplateValue {
    let value = piped;
    for (const operand of operands) {
      value = this.#operand(operand, frame);
      if (isTrue(value) === (name === 'or')) return value;
    }
    if (value === undefined) throw new Error(`wrong number of args for ${name}: want at least 1 got 0`);
    return piped ?? value;
  }

  #operand(operand: Operand, frame: Frame): TemplateValue {
    switch (operand.type) {
      case 'constant':
        return operand.value;
      case 'dot':
        return frame.dot;
      case 'variable':
        return cellOf(operand.name, frame.variables).value;
      case 'group':
        return this.#pipeline(operand.pipeline, frame);
      case 'field':
        return fieldOf(this.#operand(operand.of, frame), operand.name);
      default:
        return this.#command(operand, [], undefined, frame);
    }
  }

  #write(text: string): void {
    if (this.#text.length + text.length > limits.length) throw new Error(`the text is longer than ${limits.length}`);
    this.#text += text;
  }

  #countStep(): void {
    this.#steps += 1;
    if (this.#steps > limits.steps) throw new Error(`it takes more than ${limits.steps} steps`);
  }
}

class PipelineError extends Error {
  constructor({ source }: Pipeline, cause: unknown) {
    super(`{{${source}}}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

const frameOf = (dot: TemplateValue): Frame => ({ dot, variables: [['$', { value: dot }]] });

/** The variables that a pipeline declares, behind those there are; those it assigns to are changed. */
function declare({ assigns, variables }: Pipeline, values: readonly TemplateValue[], before: Variables): Variables {
  if (!assigns) return [...before, ...variables.map((name, at) => [name, { value: values[at] ?? null }] as const)];
  for (const [at, name] of variables.entries()) cellOf(name, before).value = values[at] ?? null;
  return before;
}

function cellOf(name: string, variables: Variables): { value: TemplateValue } {
  const [, cell] = variables.findLast(([known]) => known === name) ?? [];
  if (cell === undefined) throw new Error(`undefined variable "${name}"`);
  return cell;
}

function fieldOf(value: TemplateValue, name: string): TemplateValue {
  if (isMap(value)) {
    const found = value.get(name);
    if (found === undefined) throw new Error(`map has no entry for key "${name}"`);
    return found;
  }
  if (value === null) throw new Error(`nil data; no entry for key "${name}"`);
  const found = typeof value === 'object' && Object.hasOwn(value, name) ? value[name] : undefined;
  if (found === undefined) throw new Error(`can't evaluate field ${name} in type ${typeOf(value)}`);
  return found;
}

/** What `range` visits: the entries of a map by their keys, or the numbers below one. */
function* itemsOf(value: TemplateValue): Iterable<readonly [key: TemplateValue, value: TemplateValue]> {
  if (isMap(value)) yield* sortedEntries(value);
  else if (typeof value === 'bigint') for (let at = 0n; at < value; at++) yield [at, at];
  else throw new Error(`range can't iterate over ${showValue(value)}`);
}

function shown(operand: Operand): string {
  switch (operand.type) {
    case 'constant':
      return JSON.stringify(showValue(operand.value));
    case 'field':
      return `${operand.of.type === 'dot' ? '' : shown(operand.of)}.${operand.name}`;
    case 'variable':
      return operand.name;
    default:
      return operand.type;
  }
}
