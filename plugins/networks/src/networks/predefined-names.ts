/**
 * Networks that clients neither create nor remove. `default` is the name that containers use for the network they join when
 * they name none.
 */
export const predefinedNames: readonly string[] = ['bridge', 'host', 'none', 'default'];
