/** A build whose result is the same on every engine. */
export interface CorpusCase {
  readonly name: string;
  /** The context by path; a path that ends with `*` is an executable file. */
  readonly files: Readonly<Record<string, string>>;
  /** Arguments of `docker build`. */
  readonly options?: readonly string[];
  /** Its stages begin with the argument DEBIAN, an image that has to be made first. */
  readonly needsDebian?: true;
}

const files = (Dockerfile: string, more: Readonly<Record<string, string>> = {}) => ({ files: { Dockerfile, ...more } });

export const corpusCase = (
  name: string,
  Dockerfile: string,
  more: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
): CorpusCase => ({ name, ...files(Dockerfile, more), options });
