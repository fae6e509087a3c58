import type { LogDriver } from '@gantry/core/contracts';
import type { LogOptions } from '../options/index.js';

/** Adds options without which a driver cannot be used, such as its server's address, to whatever a check asks for. */
export function withOptions<Opened extends { readonly driver: LogDriver }>(opened: Opened, needed: LogOptions): Opened {
  const { driver } = opened;
  const open = driver.open.bind(driver);
  const validate = driver.validate.bind(driver);
  driver.open = (container) => open({ ...container, options: { ...needed, ...container.options } });
  driver.validate = (options) => validate({ ...needed, ...options });
  return opened;
}
