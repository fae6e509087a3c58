import { parse } from 'yaml';

/**
 * A document of YAML. A module of its own, so that it can be imported when it is first needed: a dynamic import of the
 * CommonJS package itself has no named exports in the bundle.
 */
export const parseYaml = (text: string): unknown => parse(text);
