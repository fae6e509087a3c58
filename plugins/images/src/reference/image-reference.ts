import { invalidArgument } from '@gantry/core/errors';

/** A name of an image in familiar form: without the default registry and its `library/`. */
export interface ImageReference {
  /** Such as `busybox`, `team/app`, `registry.example:5000/team/app`. */
  readonly repository: string;
  readonly tag?: string;
  /** `sha256:<hex>`. */
  readonly digest?: string;
}

const component = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const host = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const domain = `(?:${host}(?:\\.${host})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const grammar = new RegExp(
  `^(?<repository>(?:${domain}/)?${component}(?:/${component})*)(?::(?<tag>[\\w][\\w.-]{0,127}))?(?:@(?<digest>[a-z0-9]+(?:[.+_-][a-z0-9]+)*:[0-9a-fA-F]{32,}))?$`,
);
const defaultDomains = /^(?:index\.)?docker\.io\//;

/**
 * Parses `name`, `name:tag`, `name@digest` and `name:tag@digest`.
 * @throws EngineError `invalid-argument` naming the text.
 */
export function parseReference(text: string): ImageReference {
  const parsed = tryParseReference(text);
  if (parsed?.repository === 'sha256') {
    throw invalidArgument(`refusing to create an ambiguous tag using digest algorithm as name: "${text}"`);
  }
  if (parsed !== undefined && !hasUpperCasePath(parsed.repository)) return parsed;
  const lowered = tryParseReference(text.toLowerCase());
  const why = lowered === undefined ? '' : ': repository name must be lowercase';
  throw invalidArgument(`invalid reference format${why}: "${text}"`);
}

/**
 * Parses a name and the tag or digest that a client sends beside it, which replaces the one in the name.
 * @throws EngineError `invalid-argument` naming the text.
 */
export function parseNameAndTag(name: string, tagOrDigest: string): ImageReference {
  const parsed = parseReference(name);
  if (tagOrDigest === '') return parsed;
  return parseReference(`${parsed.repository}${tagOrDigest.includes(':') ? '@' : ':'}${tagOrDigest}`);
}

/** Whether the first component has upper-case letters though it is no host, as in `TEAM/app`. */
function hasUpperCasePath(repository: string): boolean {
  const [first = ''] = repository.split('/');
  return first !== first.toLowerCase() && !/[.:[]/.test(first) && first !== 'localhost';
}

/**
 * Like `parseReference`, undefined for text that is no reference, such as an id of 64 hex digits. Also reads names that
 * are not accepted any more, which images may still have.
 */
export function tryParseReference(text: string): ImageReference | undefined {
  if (/^[0-9a-f]{64}$/.test(text) || text.length > 4096) return undefined;
  const groups = grammar.exec(text)?.groups;
  const { repository, tag, digest } = groups ?? {};
  if (repository === undefined) return undefined;
  const familiar = repository.replace(defaultDomains, '').replace(/^library\/(?=[^/]+$)/, '');
  if (familiar.length > 255) return undefined;
  return { repository: familiar, ...(tag !== undefined && { tag }), ...(digest !== undefined && { digest }) };
}

/** `repo:tag`, with `latest` where neither tag nor digest is given; `repo@digest` when there is one. */
export function formatReference({ repository, tag, digest }: ImageReference): string {
  return digest === undefined ? `${repository}:${tag ?? 'latest'}` : `${repository}@${digest}`;
}

/** A reference with its registry: `docker.io/library/busybox:latest`. */
export function fullName(name: string): string {
  const slash = name.indexOf('/');
  const first = name.slice(0, Math.max(slash, 0));
  if (/[.:]/.test(first) || first === 'localhost') return name;
  return `docker.io/${slash < 0 ? 'library/' : ''}${name}`;
}

/** A reference in the form it is stored under. @throws EngineError `invalid-argument`. */
export const normalizeReference = (text: string): string => formatReference(parseReference(text));
