import type { Root, Type } from 'protobufjs';
import { definitions } from './definitions.js';

/** The messages of BuildKit's protocol, by full name. */
export class Protocol {
  private constructor(private readonly root: Root) {}

  /** Imports the library only now: an engine without BuildKit clients never does. */
  static async load(): Promise<Protocol> {
    const { parseDefinitions } = await import('./parse-definitions.js');
    return new Protocol(parseDefinitions(definitions));
  }

  type(name: string): Type {
    return this.root.lookupType(name);
  }
}
