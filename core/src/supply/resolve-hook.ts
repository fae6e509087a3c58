interface Resolution {
  readonly url: string;
  readonly shortCircuit?: boolean;
}

let modules: Readonly<Record<string, string>> = {};

/** Takes over which specifier leads where; called by Node in the thread that resolves. */
export function initialize(supplied: Readonly<Record<string, string>>): void {
  modules = supplied;
}

/** A resolve hook of Node: the supplied modules come first, whatever copy a package has installed beside it. */
export function resolve<R>(
  specifier: string,
  context: unknown,
  nextResolve: (specifier: string, context: unknown) => R,
): R | Resolution {
  const url = modules[specifier];
  return url === undefined ? nextResolve(specifier, context) : { url, shortCircuit: true };
}
