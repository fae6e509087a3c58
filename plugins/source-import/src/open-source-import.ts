import type { StateDriver } from '@gantry/core/contracts';
import type { Lifetime, Logger } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import type { HostedApi } from '@gantry/hosted-api/service';
import type { Notifications } from '@gantry/notifications/service';
import type { SourceImportConfig } from './config.js';
import type { Conversion } from './conversion.js';
import { noticeOf } from './hooks/notices.js';
import { Outbox } from './hooks/outbox.js';
import { type ImportEvent, importEvent } from './hooks/payload.js';
import { readHooks } from './hooks/read-hooks.js';
import { publisher } from './publish.js';
import { serveImports } from './routes/serve-imports.js';
import { readAuthorities } from './runs/authorities.js';
import { CredentialVault } from './runs/credentials.js';
import { destinationRule } from './runs/destinations.js';
import { Directories } from './runs/directories.js';
import { Imports } from './runs/imports.js';
import { ProgressBoard } from './runs/progress.js';
import { Runs } from './runs/runs.js';
import { ImportStore } from './store/import-store.js';
import type { ImportRecord } from './store/records.js';
import { Repositories } from './store/repositories.js';
import { Switches } from './store/switches.js';

export interface SourceImportParts {
  readonly config: SourceImportConfig;
  readonly state: StateDriver;
  readonly api: HostedApi;
  readonly notifications: Notifications | undefined;
  readonly conversion: Conversion;
  /** Where repositories and imports are. */
  readonly directory: string;
  readonly log: Logger;
  readonly lifetime: Lifetime;
}

/** Puts stores, runs and routes together. Imports that were interrupted go on when everything has started. */
export async function openSourceImport(parts: SourceImportParts) {
  const { state, api, notifications, conversion, log, lifetime } = parts;
  let current = await settled(parts.config);
  const config = () => current.config;
  const repositories = new Repositories(state);
  const outbox = new Outbox(state, {
    hooks: () => current.hooks,
    attempts: () => config().webhookAttempts,
    retrySeconds: () => config().webhookRetrySeconds,
    log,
  });
  const eventOf = (record: ImportRecord, status: string): ImportEvent | undefined => {
    const repository = repositories.withId(record.repositoryId);
    const sender = api.accountWithId(record.startedBy);
    return repository && sender && { record, status, repository, sender };
  };
  const store = new ImportStore(state, {
    moving(transaction, record, status) {
      const event = eventOf(record, status);
      if (event !== undefined) outbox.put(transaction, importEvent(event));
    },
    moved(record, status) {
      outbox.flush();
      const event = eventOf(record, status);
      const notice = event && noticeOf(event);
      if (notice === undefined) return;
      notifications?.publish(notice).catch((error: unknown) => {
        log.warn({ event: 'import.notice-failed', import: record.id, reason: messageOf(error) }, 'no notification');
      });
    },
  });
  const directories = new Directories(parts.directory);
  const credentials = new CredentialVault();
  const progress = new ProgressBoard();
  const switches = new Switches(state);
  const destinations = () => current.destinations;
  const authorities = () => current.authorities;
  const publish = publisher(conversion, directories, repositories);
  const shared = { store, directories, credentials, progress, config, repositories, log };
  const runs = new Runs({ ...shared, conversion, destinations, authorities, publish }, parts.directory, log);
  const maxWaiting = () => config().maxWaiting;
  const imports = new Imports({ ...shared, runs, maxWaiting, tidyScratch: conversion.tidyScratch });
  const isClosed = () => config().maintenance || switches.isOn('maintenance');
  const served = await serveImports({ ...shared, api, imports, runs, switches, destinations, isClosed });
  for (const remove of served) lifetime.add(remove);
  return {
    async start(): Promise<void> {
      const known = repositories.list().map(({ id }) => id);
      const importing = store.list().map(({ id }) => id);
      await directories.removeOthers(new Set(importing), new Set(known), conversion.tidyScratch);
      await imports.resume();
    },
    async ready(): Promise<void> {
      runs.open();
      outbox.open();
    },
    async reconfigure(changed: SourceImportConfig): Promise<void> {
      current = await settled(changed);
      runs.open();
      outbox.flush();
    },
    async stop(): Promise<void> {
      await runs.close();
      await outbox.close();
    },
  };
}

/** What is made of a configuration, all of it or none. */
async function settled(config: SourceImportConfig) {
  return {
    config,
    destinations: destinationRule(config.allowDestinations),
    authorities: await readAuthorities(config.certificateAuthorities),
    hooks: await readHooks(config.webhooks),
  };
}
