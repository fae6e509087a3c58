import { conversion } from './conversion.js';
import { sourceImport } from './source-import.js';

export default sourceImport(conversion);
