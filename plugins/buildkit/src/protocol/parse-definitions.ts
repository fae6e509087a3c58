import protobuf from 'protobufjs';

/** The types of messages that texts in the language of protocol buffers define. */
export function parseDefinitions(texts: readonly string[]): protobuf.Root {
  const root = new protobuf.Root();
  for (const text of texts) protobuf.parse(text, root, { keepCase: true });
  root.resolveAll();
  return root;
}
