import type { LogContainer, LogSink } from '@gantry/core/contracts';
import { DeliveringSink, HttpClient } from '@gantry/lib-log';
import { renderTag } from '@gantry/lib-log/options';
import { CloudWatch } from './cloud-watch.js';
import type { AwsLogsConfig } from './config.js';
import { CredentialSource } from './credential-source.js';
import { LogStream } from './log-stream.js';
import type { AwsSettings } from './options.js';
import { StreamOutlet } from './stream-outlet.js';

/** Milliseconds between two requests when little is written. */
const interval = 1000;

export function openAwsSink(container: LogContainer, settings: AwsSettings, config: AwsLogsConfig): Promise<LogSink> {
  const { tag } = container.options;
  const named = settings.stream ?? (tag ? renderTag(tag, container) : container.id);
  // A name must not have these.
  const stream = named.replace(/[:*]/g, '_');
  return DeliveringSink.open(container, { driver: 'awslogs', interval }, ({ heldBack }) => {
    const client = new HttpClient();
    const credentials = new CredentialSource(client, config, settings.credentialsPath);
    const service = new CloudWatch(client, credentials, settings);
    return new StreamOutlet(new LogStream(service, { ...settings, stream }), client, settings, heldBack);
  });
}
