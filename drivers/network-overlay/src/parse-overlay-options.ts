import { notImplemented } from '@gantry/core/errors';
import { type OptionNames, optionReader, parseMtu } from '@gantry/lib-network';

interface OverlayOptions {
  readonly mtu: number | undefined;
}

const names: OptionNames<keyof OverlayOptions> = {
  mtu: ['gantry.overlay.mtu', 'com.docker.network.driver.mtu'],
};

const encryption = ['gantry.overlay.encrypted', 'encrypted', 'secure'];

/**
 * @throws EngineError `invalid-argument` naming option and value, `not-implemented` for encryption: a network that was
 * asked to be encrypted must never carry its traffic in the clear.
 */
export function parseOverlayOptions(options: Readonly<Record<string, string>>): OverlayOptions {
  const encrypted = encryption.find((name) => options[name] !== undefined && !/^(?:0|f|false)$/i.test(options[name]));
  if (encrypted !== undefined) {
    throw notImplemented(
      `invalid option ${encrypted}: "${options[encrypted]}": overlay networks cannot be encrypted:` +
        ' this engine has no IPsec, and its tunnels would carry the traffic in the clear',
    );
  }
  return { mtu: optionReader(names, options)('mtu', parseMtu, 'a number of bytes from 68 to 65535') };
}
