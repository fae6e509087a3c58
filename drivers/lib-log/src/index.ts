export { DatagramLink } from './net/datagram-link.js';
export { type HttpAnswer, HttpClient, type HttpRequest } from './net/http-client.js';
export { type SecureOptionNames, secureOptions } from './net/secure-options.js';
export { StreamLink, type StreamLinkOptions } from './net/stream-link.js';
export { DeliveringSink, type DeliveryOptions } from './sink/delivering-sink.js';
export type { LogMessage } from './sink/message.js';
export type { Outlet, SendResult } from './sink/outlet.js';
export { type Progress, ProgressFile } from './sink/progress-file.js';
