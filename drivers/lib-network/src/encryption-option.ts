const names = ['gantry.overlay.encrypted', 'encrypted', 'secure'];

/** The option by which a network is to be encrypted between nodes; undefined when it is not. A name alone asks for it. */
export function encryptionOption(options: Readonly<Record<string, string>>): string | undefined {
  return names.find((name) => options[name] !== undefined && !/^(?:0|f|false)$/i.test(options[name]));
}

export const isEncrypted = (options: Readonly<Record<string, string>>): boolean =>
  encryptionOption(options) !== undefined;
