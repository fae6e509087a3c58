import { ApiError, messageOf } from '../../../api/api-error';
import { post } from '../../../api/request';
import { notify } from '../../../notices/notices';
import { pullImage } from '../../../transfer/pull-image';
import type { TransferProgress } from '../../../transfer/transfer-progress';
import { createBody } from './create-body';
import type { CreateValues } from './create-values';

interface Created {
  readonly Id: string;
  readonly Warnings: readonly string[] | null;
}

/** Creates a container, pulls its image first when it is missing, and starts it when asked to. */
export async function createContainer(
  values: CreateValues,
  show: (progress: TransferProgress) => void,
): Promise<string> {
  const body = createBody(values);
  const query = { name: values.name || undefined, platform: values.platform || undefined };
  const create = () => post<Created>('/containers/create', query, body);
  const created = await create().catch(async (error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 404 || !/image/i.test(error.message)) throw error;
    await pullImage(values.image, values.platform, values.credentials, show);
    return await create();
  });
  for (const warning of created.Warnings ?? [])
    notify('failed', `The container was created with a warning: ${warning}`);
  if (values.start) {
    await post(`/containers/${created.Id}/start`).catch((error: unknown) =>
      notify('failed', `The container was created, but starting it failed: ${messageOf(error)}`),
    );
  }
  return created.Id;
}
