import { parse } from 'yaml';

/** A document of YAML. A module of its own, so that it can be imported when it is first needed. */
export const parseYaml = (text: string): unknown => parse(text);
