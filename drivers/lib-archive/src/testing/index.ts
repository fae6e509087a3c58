export { archiveOf, extension, type Fields, gzipped, header, member, padded, pax } from './raw-tar.js';
