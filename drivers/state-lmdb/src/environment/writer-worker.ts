import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '@gantry/core/errors';
import type { WriterAnswer, WriterData, WriterRequest } from './messages.js';
import { openWriter } from './writer.js';

/** The writing thread: answers each request in order, with a reason when it failed. */
const port = parentPort;
if (port === null) throw new Error('writer-worker runs as a worker thread only');

const attempt = (work: () => void): void => {
  let answer: WriterAnswer;
  try {
    work();
  } catch (error) {
    answer = messageOf(error);
  }
  port.postMessage(answer);
};

let writer: ReturnType<typeof openWriter>;
attempt(() => {
  writer = openWriter(workerData as WriterData);
});

port.on('message', (request: WriterRequest) => {
  attempt(() => (request === undefined ? writer.close() : writer.commit(request)));
});
