import { isRecord } from '@gantry/core/driver';
import { internal, invalidArgument } from '@gantry/core/errors';
import type { AssignedTask, TaskFile, TaskReport } from '../service.js';

export const assignmentsPath = '/agent/assignments';
export const reportPath = '/agent/report';
export const filesPath = '/agent/files';
export const credentialsPath = '/agent/credentials';

/** What the leader sends to a node: first everything, then what has changed. */
export interface AssignmentMessage {
  /** The message has all tasks of the node. */
  readonly isComplete: boolean;
  readonly tasks: readonly AssignedTask[];
  /** Ids of tasks that are not the node's any more. */
  readonly removed: readonly string[];
}

/** @throws EngineError `internal` for what is not such a message. */
export function parseAssignments(message: unknown): AssignmentMessage {
  if (!isRecord(message) || !Array.isArray(message.tasks) || !Array.isArray(message.removed)) {
    throw internal('a message with assignments cannot be read');
  }
  return message as unknown as AssignmentMessage;
}

/** @throws EngineError `invalid-argument` for what are not reports. */
export function parseReports(body: unknown): readonly TaskReport[] {
  if (!Array.isArray(body)) throw invalidArgument('the reports are not a list');
  for (const report of body as unknown[]) {
    if (!isRecord(report) || typeof report.taskId !== 'string' || !isRecord(report.status)) {
      throw invalidArgument('a report names no task or no status');
    }
    if (typeof report.status.State !== 'string') throw invalidArgument('the status of a report has no State');
  }
  return body as TaskReport[];
}

/** A file as it is sent. */
type FileMessage = Omit<TaskFile, 'data'> & { readonly data: string };

export const toFileMessage = (file: TaskFile): FileMessage => ({ ...file, data: file.data.toString('base64') });

/** @throws EngineError `internal` for what are not files. */
export function parseFiles(message: unknown): readonly TaskFile[] {
  if (!Array.isArray(message)) throw internal('a message with the files of a task cannot be read');
  return (message as FileMessage[]).map((file) => ({ ...file, data: Buffer.from(file.data, 'base64') }));
}
