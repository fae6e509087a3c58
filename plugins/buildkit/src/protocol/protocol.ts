import type { Root, Type } from 'protobufjs';
import { definitions } from './definitions.js';

/** The messages of BuildKit's protocol, by full name. */
export class Protocol {
  static #loaded: Promise<Protocol> | undefined;

  private constructor(private readonly root: Root) {}

  /** Imports the library only now: an engine without BuildKit clients never does. */
  static load(): Promise<Protocol> {
    Protocol.#loaded ??= import('./parse-definitions.js').then(
      ({ parseDefinitions }) => new Protocol(parseDefinitions(definitions)),
    );
    return Protocol.#loaded;
  }

  type(name: string): Type {
    return this.root.lookupType(name);
  }
}
