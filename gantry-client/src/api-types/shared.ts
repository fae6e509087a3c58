// Made from the OpenAPI document of the engine, by the test of the document with GANTRY_UPDATE=1: do not edit.

/** Bytes that are sent or come as they are. */
export type Archive = string | Uint8Array | AsyncIterable<Uint8Array>;

export type Error = {
  readonly message: string;
};
