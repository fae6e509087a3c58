import { parentPort } from 'node:worker_threads';
import { messageOf } from '@gantry/core/errors';
import type { WriterAnswer, WriterData, WriterRequest } from './messages.js';
import { type EnvironmentWriter, openWriter } from './writer.js';

/** The writing thread: opens the file of the first message, then answers each request in order. */
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

let isOpened = false;
let writer: EnvironmentWriter;

port.on('message', (message: WriterData | WriterRequest) => {
  attempt(() => {
    if (isOpened) serve(message as WriterRequest);
    else open(message as WriterData);
  });
});

function open(data: WriterData): void {
  isOpened = true;
  writer = openWriter(data);
}

function serve(request: WriterRequest): void {
  if (request === undefined) writer.close();
  else writer.commit(request);
}
