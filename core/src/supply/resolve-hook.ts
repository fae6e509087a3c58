interface Resolution {
  readonly url: string;
  readonly shortCircuit?: boolean;
}

/** What packages from outside the engine are given of it. */
export interface Supply {
  /** The URLs of the core's public modules, by the names that packages import them by. */
  readonly modules: Readonly<Record<string, string>>;
  /** A URL in the directory from which the engine's own packages are found, such as those with service points. */
  readonly engine: string | undefined;
}

/** The engine's own packages, and what schemas of configuration are made with. */
const ofEngine = /^@gantry\/|^@sinclair\/typebox(\/|$)/;

let supply: Supply = { modules: {}, engine: undefined };

/** Takes over what is supplied; called by Node in the thread that resolves. */
export function initialize(supplied: Supply): void {
  supply = supplied;
}

/**
 * A resolve hook of Node: the supplied modules come first, whatever copy a package has installed beside it. A package of the
 * engine that is not installed beside it is the engine's, and so is TypeBox.
 */
export function resolve<R>(
  specifier: string,
  context: unknown,
  nextResolve: (specifier: string, context: unknown) => R,
): R | Resolution {
  const { engine, modules } = supply;
  const url = modules[specifier];
  if (url !== undefined) return { url, shortCircuit: true };
  if (engine === undefined || !ofEngine.test(specifier)) return nextResolve(specifier, context);
  const fromEngine = (error: unknown): R => {
    if (!/^(ERR_)?MODULE_NOT_FOUND$/.test(String((error as NodeJS.ErrnoException).code))) throw error;
    return nextResolve(specifier, { ...(context as object), parentURL: engine });
  };
  try {
    const found = nextResolve(specifier, context);
    return found instanceof Promise ? (found.catch(fromEngine) as R) : found;
  } catch (error) {
    return fromEngine(error);
  }
}
