export { decodeRecord, type EncodedRecord, encodeRecord } from './envelope.js';
export { Mirror } from './mirror.js';
export { type PlannedChange, planTransaction } from './plan-transaction.js';
export { StoredRecord } from './stored-record.js';
