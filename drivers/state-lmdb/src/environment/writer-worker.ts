import { parentPort } from 'node:worker_threads';
import { messageOf } from '@gantry/core/errors';
import type { WriterAnswer, WriterData, WriterRequest } from './messages.js';
import { type EnvironmentWriter, openWriter } from './writer.js';

/** The writing thread: opens the file of the first message, then answers each request in order. */
const port = parentPort;
if (port === null) throw new Error('writer-worker runs as a worker thread only');

const attempt = async (work: () => Promise<void> | void): Promise<void> => {
  let answer: WriterAnswer;
  try {
    await work();
  } catch (error) {
    answer = messageOf(error);
  }
  port.postMessage(answer);
};

let isOpened = false;
let writer: EnvironmentWriter;

// The next request comes after the answer to this one.
port.on('message', (message: WriterData | WriterRequest) => {
  void attempt(() => {
    if (isOpened) return serve(message as WriterRequest);
    return open(message as WriterData);
  });
});

function open(data: WriterData): void {
  isOpened = true;
  writer = openWriter(data);
}

function serve(request: WriterRequest): Promise<void> | void {
  if (request === undefined) return writer.close();
  if ('copyTo' in request) return writer.copy(request.copyTo);
  return writer.commit(request);
}
