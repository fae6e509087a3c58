export { type Address, type AddressForm, type HostAddress, parseAddress } from './address.js';
export { attributesOf } from './attributes-of.js';
export { attributeOptions, checkOptions } from './check-options.js';
export { parseSize } from './parse-size.js';
export { selectedAttributes } from './selected-attributes.js';
export { checkTag, renderTag } from './tag.js';
export {
  type LogOptions,
  parseBoolean,
  parseBytes,
  parseChoice,
  parseDuration,
  parseInteger,
  parsePattern,
} from './values.js';
