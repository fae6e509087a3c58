/** What is used of an OpenAPI document. */
interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

interface DocumentedOperation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly description?: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
}

/** A request, as the client sends it. */
export interface OperationCall {
  /** Such as `GET /containers/{id}/json`. */
  readonly route: string;
  readonly path: Readonly<Record<string, string>>;
  /** What the document knows of it. */
  readonly queryNames: readonly string[];
  readonly statuses: readonly string[];
}

interface Operation extends Omit<OperationCall, 'path'> {
  readonly method: string;
  readonly pattern: RegExp;
  readonly pathNames: readonly string[];
}

/** The operations of a document, found by the method and the path of a request. */
export class ApiOperations {
  readonly #operations: readonly Operation[];

  constructor({ paths }: ApiDocument) {
    const all = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => operationOf(method.toUpperCase(), path, operation)),
    );
    // `/images/get` is not the image "get".
    this.#operations = all.sort((a, b) => a.pathNames.length - b.pathNames.length || b.route.length - a.route.length);
  }

  get count(): number {
    return this.#operations.length;
  }

  find(method: string, pathname: string): OperationCall | undefined {
    for (const { method: own, pattern, pathNames, ...operation } of this.#operations) {
      const values = own === method ? pattern.exec(pathname)?.slice(1) : undefined;
      if (values === undefined) continue;
      const path = Object.fromEntries(pathNames.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]));
      return { ...operation, path };
    }
    return undefined;
  }
}

function operationOf(method: string, path: string, { parameters = [], responses }: DocumentedOperation): Operation {
  const pathNames: string[] = [];
  const source = path.replaceAll(/\{([^}]+)\}|[^{]+/g, (literal, name?: string) => {
    if (name === undefined) return literal.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&');
    pathNames.push(name);
    const { description } = parameters.find((each) => each.in === 'path' && each.name === name) ?? {};
    return description === 'may have slashes' ? '(.+)' : '([^/]+)';
  });
  return {
    route: `${method} ${path}`,
    method,
    pattern: new RegExp(`^${source}$`),
    pathNames,
    queryNames: parameters.filter((each) => each.in === 'query').map(({ name }) => name),
    statuses: Object.keys(responses),
  };
}
