import { encryptionOption, type OptionNames, optionReader, parseMtu } from '@gantry/lib-network';

interface OverlayOptions {
  readonly mtu: number | undefined;
  /** The option that asks for encryption. */
  readonly encryption: string | undefined;
}

const names: OptionNames<'mtu'> = {
  mtu: ['gantry.overlay.mtu', 'com.docker.network.driver.mtu'],
};

/** @throws EngineError `invalid-argument` naming option and value. */
export function parseOverlayOptions(options: Readonly<Record<string, string>>): OverlayOptions {
  return {
    mtu: optionReader(names, options)('mtu', parseMtu, 'a number of bytes from 68 to 65535'),
    encryption: encryptionOption(options),
  };
}
