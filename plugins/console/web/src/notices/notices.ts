import { isAbort, messageOf } from '../api/api-error';
import { Store } from '../store/store';

export interface Notice {
  readonly id: number;
  readonly kind: 'done' | 'failed';
  readonly text: string;
}

const shown = 5;
const doneFor = 5_000;
let last = 0;

export const notices = new Store<readonly Notice[]>([]);

export function notify(kind: Notice['kind'], text: string): void {
  const notice = { id: ++last, kind, text };
  notices.set([...notices.get(), notice].slice(-shown));
  if (kind === 'done') setTimeout(() => dismiss(notice.id), doneFor);
}

export const dismiss = (id: number): void => notices.set(notices.get().filter((notice) => notice.id !== id));

/** Runs an action and shows how it ended. @returns whether it succeeded */
export async function attempt(what: string, action: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await action();
    if (done !== undefined) notify('done', done);
    return true;
  } catch (error) {
    if (!isAbort(error)) notify('failed', `${what} failed: ${messageOf(error)}`);
    return false;
  }
}
