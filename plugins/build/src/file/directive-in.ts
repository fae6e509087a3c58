/** The directive that a line is, such as `# syntax=…`, with its name in lower case; undefined for other lines. */
export function directiveIn(line: string): { readonly name: string; readonly value: string } | undefined {
  const [, name, value = ''] = /^\s*#\s*([a-zA-Z][a-zA-Z0-9]*)\s*=\s*(.+?)\s*$/.exec(line) ?? [];
  return name === undefined ? undefined : { name: name.toLowerCase(), value };
}
