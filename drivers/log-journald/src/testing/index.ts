export { type TestJournal, testJournal } from './journal.js';
