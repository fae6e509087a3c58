import { parseCharacter, parseNumber, unquote } from './parse-literal.js';
import type { Branch, Operand, ParsedTemplate, Pipeline, TemplateNode } from './template-nodes.js';
import { type Token, tokensOf } from './template-tokens.js';

const keywords = new Set([
  'block',
  'break',
  'continue',
  'define',
  'else',
  'end',
  'if',
  'nil',
  'range',
  'template',
  'with',
]);

/** How deep actions and parentheses may be within each other. */
const deepest = 200;

/** Parses Go's text/template. @throws Error naming the line and what is wrong. */
export const parseTemplate = (template: string, functions: ReadonlySet<string>): ParsedTemplate =>
  new TemplateParser(tokensOf(template), functions).parse();

/** What a list of nodes ended with, when that was no end of the template. */
type Terminator = 'end' | 'else';

interface Nodes {
  readonly nodes: readonly TemplateNode[];
  readonly terminator: Terminator | undefined;
}

class TemplateParser {
  readonly #defined = new Map<string, readonly TemplateNode[]>();
  #variables: string[] = ['$'];
  #at = 0;
  #depth = 0;
  #loops = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly functions: ReadonlySet<string>,
  ) {}

  parse(): ParsedTemplate {
    const { nodes, terminator } = this.#nodes();
    if (terminator !== undefined) throw this.#wrong(`unexpected {{${terminator}}}`);
    return { nodes, defined: this.#defined };
  }

  #nodes(): Nodes {
    const nodes: TemplateNode[] = [];
    for (let token = this.#next(); token !== undefined; token = this.#next()) {
      if (token.type === 'text') {
        nodes.push({ type: 'text', text: token.text });
        continue;
      }
      const keyword = this.#keyword();
      if (keyword === 'end') this.#endAction('end');
      if (keyword === 'end' || keyword === 'else') return { nodes, terminator: keyword };
      const node = this.#action(keyword);
      if (node !== undefined) nodes.push(node);
    }
    return { nodes, terminator: undefined };
  }

  #action(keyword: string | undefined): TemplateNode | undefined {
    switch (keyword) {
      case 'if':
      case 'with':
      case 'range':
        return this.#nested(() => this.#branch(keyword));
      case 'break':
      case 'continue':
        if (this.#loops === 0) throw this.#wrong(`{{${keyword}}} outside {{range}}`);
        this.#endAction(keyword);
        return { type: keyword };
      case 'define':
        return this.#define();
      case 'template':
        return this.#use('template');
      case 'block': {
        const node = this.#use('block');
        this.#defined.set(node.name, this.#ownScope('block'));
        return node;
      }
      default:
        return { type: 'action', pipeline: this.#pipeline('end') };
    }
  }

  #branch(type: Branch['type']): Branch {
    const before = this.#variables.length;
    const pipeline = this.#pipeline('end', type === 'range' ? 2 : 1);
    if (type === 'range') this.#loops += 1;
    const { nodes: body, terminator } = this.#nodes();
    if (type === 'range') this.#loops -= 1;
    const otherwise = this.#otherwise(type, terminator);
    this.#variables.length = before;
    return { type, pipeline, body, otherwise };
  }

  #otherwise(type: Branch['type'], terminator: Terminator | undefined): readonly TemplateNode[] {
    if (terminator === undefined) throw this.#wrong('unexpected end of the template');
    if (terminator === 'end') return [];
    const keyword = this.#keyword();
    if (keyword === type && keyword !== 'range') return [this.#nested(() => this.#branch(keyword))];
    if (keyword !== undefined) throw this.#wrong(`unexpected ${keyword} in {{else}}`);
    this.#endAction('else');
    const rest = this.#nodes();
    if (rest.terminator !== 'end') throw this.#wrong(`expected {{end}}, found ${this.#found(rest)}`);
    return rest.nodes;
  }

  #found = ({ terminator }: Nodes): string => (terminator === undefined ? 'the end of the template' : '{{else}}');

  #define(): undefined {
    const name = this.#name('define');
    this.#endAction('define');
    this.#defined.set(name, this.#ownScope('define'));
  }

  /** The nodes of a template of its own, which sees no variable of this one. */
  #ownScope(keyword: string): readonly TemplateNode[] {
    const [variables, loops] = [this.#variables, this.#loops];
    [this.#variables, this.#loops] = [['$'], 0];
    const rest = this.#nested(() => this.#nodes());
    if (rest.terminator !== 'end') throw this.#wrong(`{{${keyword}}}: expected {{end}}, found ${this.#found(rest)}`);
    [this.#variables, this.#loops] = [variables, loops];
    return rest.nodes;
  }

  #use(keyword: string): { readonly type: 'template'; readonly name: string; readonly pipeline: Pipeline | undefined } {
    const name = this.#name(keyword);
    const hasPipeline = this.#peek()?.type !== 'end';
    if (!hasPipeline && keyword === 'block') throw this.#wrong('missing value for block clause');
    const pipeline = hasPipeline ? this.#pipeline('end') : undefined;
    if (!hasPipeline) this.#endAction(keyword);
    return { type: 'template', name, pipeline };
  }

  #name(keyword: string): string {
    const token = this.#next();
    if (token?.type === 'string') return unquote(token.text);
    if (token?.type === 'raw') return token.text.slice(1, -1);
    throw this.#wrong(`{{${keyword}}} takes the name of a template in quotes`);
  }

  /** What is behind it, up to the end of the action or of the parenthesis. */
  #pipeline(end: 'end' | 'close', mostVariables = 1): Pipeline {
    const start = this.#at;
    const { assigns, variables } = this.#declared(mostVariables);
    const commands: [Operand, ...Operand[]][] = [];
    do {
      const [first, ...rest] = this.#operands();
      if (first === undefined) throw this.#wrong('missing value for command');
      this.#checkCommand(first, commands.length > 0);
      commands.push([first, ...rest]);
    } while (this.#skip('pipe'));
    const source = this.tokens
      .slice(start, this.#at)
      .map(({ isSpaced, text }, at) => (isSpaced && at > 0 ? ` ${text}` : text));
    if (!this.#skip(end)) throw this.#wrong(end === 'close' ? 'unclosed left paren' : `unexpected ${this.#shown()}`);
    if (!assigns) this.#variables.push(...variables);
    return { source: source.join(''), variables, assigns, commands };
  }

  #checkCommand(first: Operand, isPiped: boolean): void {
    if (first.type === 'constant' && first.value === null) throw this.#wrong('nil is not a command');
    if (isPiped && (first.type === 'constant' || first.type === 'dot')) {
      throw this.#wrong('non executable command in pipeline');
    }
  }

  #declared(most: number): Pick<Pipeline, 'assigns' | 'variables'> {
    const start = this.#at;
    const variables: string[] = [];
    while (this.#peek()?.type === 'variable') {
      variables.push(this.#next()?.text ?? '');
      if (!this.#skip('comma')) break;
    }
    const operator = this.#peek()?.type;
    if (variables.length === 0 || (operator !== 'declare' && operator !== 'assign')) {
      this.#at = start;
      return { assigns: false, variables: [] };
    }
    if (variables.length > most) throw this.#wrong('too many declarations');
    this.#at += 1;
    if (operator === 'assign') for (const name of variables) this.#checkVariable(name);
    return { assigns: operator === 'assign', variables };
  }

  #operands(): readonly Operand[] {
    const operands: Operand[] = [];
    for (;;) {
      const operand = this.#operand();
      if (operand === undefined) return operands;
      const next = this.#peek();
      if (next !== undefined && !next.isSpaced && !['end', 'pipe', 'close'].includes(next.type)) {
        throw this.#wrong(`unexpected ${this.#shown()} in operand`);
      }
      operands.push(operand);
    }
  }

  #operand(): Operand | undefined {
    const token = this.#peek();
    if (token === undefined) return undefined;
    let operand = this.#term(token);
    if (operand === undefined) return undefined;
    for (let next = this.#peek(); next?.type === 'field' && !next.isSpaced; next = this.#peek()) {
      if (operand.type === 'constant' || operand.type === 'function') {
        throw this.#wrong(`unexpected ${next.text} after term ${token.text}`);
      }
      this.#at += 1;
      operand = { type: 'field', of: operand, name: next.text.slice(1) };
    }
    return operand;
  }

  #term(token: Token): Operand | undefined {
    const { text } = token;
    this.#at += 1;
    switch (token.type) {
      case 'string':
        return { type: 'constant', value: unquote(text) };
      case 'raw':
        return { type: 'constant', value: text.slice(1, -1).replaceAll('\r', '') };
      case 'character':
        return { type: 'constant', value: parseCharacter(text) };
      case 'number':
        return { type: 'constant', value: parseNumber(text) };
      case 'dot':
        return { type: 'dot' };
      case 'field':
        return { type: 'field', of: { type: 'dot' }, name: text.slice(1) };
      case 'variable':
        this.#checkVariable(text);
        return { type: 'variable', name: text };
      case 'open':
        return { type: 'group', pipeline: this.#nested(() => this.#pipeline('close')) };
      case 'name':
        return this.#named(text);
      default:
        this.#at -= 1;
        return undefined;
    }
  }

  #named(name: string): Operand {
    if (name === 'true' || name === 'false') return { type: 'constant', value: name === 'true' };
    if (name === 'nil') return { type: 'constant', value: null };
    if (keywords.has(name)) throw this.#wrong(`unexpected ${name}`);
    if (!this.functions.has(name)) throw this.#wrong(`function "${name}" not defined`);
    return { type: 'function', name };
  }

  #checkVariable(name: string): void {
    if (!this.#variables.includes(name)) throw this.#wrong(`undefined variable "${name}"`);
  }

  /** The keyword that is next, if one is, which is skipped. */
  #keyword(): string | undefined {
    const token = this.#peek();
    if (token?.type !== 'name' || token.text === 'nil' || !keywords.has(token.text)) return undefined;
    this.#at += 1;
    return token.text;
  }

  #endAction(keyword: string): void {
    if (!this.#skip('end')) throw this.#wrong(`unexpected ${this.#shown()} in {{${keyword}}}`);
  }

  #nested<Result>(parse: () => Result): Result {
    this.#depth += 1;
    if (this.#depth > deepest) throw this.#wrong('too deeply nested');
    const result = parse();
    this.#depth -= 1;
    return result;
  }

  #skip(type: Token['type']): boolean {
    if (this.#peek()?.type !== type) return false;
    this.#at += 1;
    return true;
  }

  #peek = (): Token | undefined => this.tokens[this.#at];
  #shown = (): string => this.#peek()?.text ?? 'end of the template';

  #next(): Token | undefined {
    const token = this.#peek();
    this.#at += 1;
    return token;
  }

  #wrong(what: string): Error {
    const line = (this.tokens[Math.min(this.#at, this.tokens.length) - 1] ?? this.tokens.at(-1))?.line ?? 1;
    return new Error(`line ${line}: ${what}`);
  }
}
